import { test } from "vitest";
import { openScenario, recallOf } from "windtunnel";
import { environment } from "./index.js";

test("recall", async () => {
  const scenarios = Array.from({ length: 150 }, (_, i) => openScenario(environment, `train/3/${i}`));
  const arche = new Map(scenarios.map((s) => [s.task.id, s.task.archetype]));
  for (const limit of [64, 200]) {
    const r = await recallOf(environment, scenarios, limit);
    const by = new Map<string, number>();
    for (const m of r.missed) {
      const k = m.call.tool;
      by.set(k, (by.get(k) ?? 0) + 1);
    }
    console.log(limit, r.calls, r.recall, JSON.stringify([...by].sort((a, b) => b[1] - a[1])));
    if (limit === 200) {
      const seen = new Set<string>();
      for (const m of r.missed) {
        const k = `${m.call.tool}`;
        if (!seen.has(k + arche.get(m.task))) {
          seen.add(k + arche.get(m.task));
          console.log(arche.get(m.task), m.step, JSON.stringify(m.call).slice(0, 250));
        }
      }
    }
  }
});
