import { expect, test } from "vitest";
import { Episode, openScenario } from "windtunnel";
import {
  balanceRemittance,
  parseAcknowledgments,
  parseClaims,
  parseInterchange,
  parseRemittances,
} from "../codec/index.js";
import { DAY_MS } from "./calendar.js";
import { environment } from "./index.js";
import type { Office } from "./tools/denial-tool.js";

const TASKS = Array.from({ length: 60 }, (_, i) => `validation/11/${i}`);

/** Every problem of every file of a world, with the row that carries it. */
function problemsOf(world: Office): string[] {
  const problems: string[] = [];
  const note = (id: string, found: readonly { readonly message: string }[]) =>
    problems.push(...found.map(({ message }) => `${id}: ${message}`));
  for (const { id, file } of world.all("claims")) note(id, parseClaims(file).problems);
  for (const { id, file, source } of world.all("acknowledgments"))
    note(id, (source === "999" ? parseInterchange(file) : parseAcknowledgments(file)).problems);
  for (const { id, file } of world.all("remits")) {
    const parsed = parseRemittances(file);
    note(id, parsed.ok ? parsed.value.remittances.flatMap(balanceRemittance) : parsed.problems);
  }
  return problems;
}

test("every file of a generated office parses back whole, and every remittance balances", () => {
  for (const id of TASKS) expect(problemsOf(openScenario(environment, id).world), id).toEqual([]);
});

test("files and rows stay whole after the case is worked and the payers have answered", async () => {
  for (const id of TASKS.slice(0, 30)) {
    const scenario = openScenario(environment, id);
    const episode = new Episode(environment, scenario, { attemptSeed: "files" });
    const act = await environment.reference(scenario, episode.agentContext);
    let { opening: observation } = episode;
    while (episode.ended === undefined) ({ observation } = await episode.step(await act(observation)));
    const later = episode.world.fork();
    later.advanceTo(later.now + 150 * DAY_MS);
    expect(problemsOf(later), id).toEqual([]);
    expect(later.validate(), id).toEqual([]);
  }
});
