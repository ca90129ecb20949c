/** A score as lines for a person: every gate and criterion, its verdict, and where to see it. */

import type { OutcomeResult } from "../core/rollout.js";
import type { CriterionResult, Score } from "../core/score.js";
import type { Evidence, Verdict } from "../core/verdict.js";
import { toPercent, toReward, toUnit } from "./amounts.js";
import type { Colors } from "./output.js";
import { toTerminalLine } from "./terminal-text.js";

const EVIDENCE_SHOWN = 5;

export function showScore(score: Score, colors: Colors): string[] {
  const headline =
    score.status === "scored"
      ? `${colors.bold(`reward ${toReward(score.reward)}`)}  ${score.passed ? colors.green("passed") : colors.red("not passed")}`
      : `${colors.bold(score.status)}: ${toTerminalLine(score.reason)}`;
  return [headline, ...score.results.flatMap((result) => showResult(result, colors))];
}

function showResult(result: CriterionResult, colors: Colors): string[] {
  const { name, verdict, role, points, critical } = result;
  const worth = role === "gate" ? "gate" : `${points} points${critical ? ", critical" : ""}`;
  const line = `  ${showVerdict(verdict, role, colors)}  ${toTerminalLine(name)} ${colors.dim(`(${worth})`)}: ${toTerminalLine(reasonOf(verdict))}`;
  const evidence = verdict.kind === "scored" ? verdict.evidence : [];
  const shown = evidence.slice(0, EVIDENCE_SHOWN).map(showEvidence);
  if (evidence.length > shown.length) shown.push(`and ${evidence.length - shown.length} more`);
  return shown.length === 0 ? [line] : [line, colors.dim(`            see ${shown.join(", ")}`)];
}

export const reasonOf = (verdict: Verdict): string =>
  verdict.kind === "errored" ? `${verdict.boundary}: ${verdict.cause}` : verdict.reason;

/** One word or number, padded to eight characters. */
export function showVerdict(verdict: Verdict, role: CriterionResult["role"], colors: Colors): string {
  switch (verdict.kind) {
    case "scored": {
      const gate = verdict.value === 1 ? "held" : "tripped";
      const text = (role === "gate" ? gate : toPercent(verdict.value)).padEnd(8);
      return verdict.value === 1 ? colors.green(text) : verdict.value === 0 ? colors.red(text) : colors.yellow(text);
    }
    case "notApplicable":
      return colors.dim("n/a     ");
    case "unscored":
      return colors.yellow("unscored");
    case "errored":
      return colors.red("errored ");
  }
}

function showEvidence(evidence: Evidence): string {
  const where =
    "event" in evidence
      ? `event ${evidence.event}`
      : `${evidence.table}/${evidence.id}${evidence.field === undefined ? "" : `.${evidence.field}`}`;
  return toTerminalLine(evidence.note === undefined ? where : `${where} (${evidence.note})`);
}

/** The outcome in its parts. Records do not keep the unit, so numbers stand bare. */
export function showOutcome(outcome: OutcomeResult | null, colors: Colors): string[] {
  if (outcome === null) return ["outcome unknown: it could not be read"];
  const { value, normalised, acceptable, parts } = outcome;
  const place = normalised === null ? "" : ` (${normalised.toFixed(2)} where doing nothing is 0 and the reference 1)`;
  const made = Object.entries(parts).filter(([, part]) => part !== 0);
  return [
    `${colors.bold(`outcome ${toUnit(value)}`)}${place}  ${acceptable ? colors.green("acceptable") : colors.red("not acceptable")}`,
    ...made.map(([name, part]) => `  ${toUnit(part).padStart(12)}  ${toTerminalLine(name)}`),
  ];
}
