/**
 * Progress while rollouts run: a block redrawn in place on a terminal, a plain line now and then elsewhere, JSON lines with --json.
 * What it shows is always of committed rollouts.
 */

import type { RunProgress } from "../engine/run.js";
import { toCount, toDuration, toPercent, toReward, toUnit } from "./amounts.js";
import { toWidth } from "./columns.js";
import type { Output } from "./output.js";
import { toTerminalLine } from "./terminal-text.js";

/** What has been committed so far. `outcomeSum` and `outcomes` are of this process alone. */
export interface StatusFigures extends Omit<RunProgress, "stoppedBy"> {
  readonly label: string;
  readonly outcomeSum: number;
  readonly outcomes: number;
  readonly outcomeUnit: string;
}

const REDRAW_MS = 100;
const LINE_MS = 5_000;
const JSON_MS = 500;

export class LiveStatus {
  readonly #output: Output;
  readonly #now: () => number;
  readonly #startedMs: number;
  #lastMs = Number.NEGATIVE_INFINITY;
  #drawn = 0;
  #latest: StatusFigures | undefined;

  constructor(output: Output, now: () => number = () => performance.now()) {
    this.#output = output;
    this.#now = now;
    this.#startedMs = now();
    if (!output.live && !output.json) this.#lastMs = this.#startedMs;
  }

  update(figures: StatusFigures): void {
    this.#latest = figures;
    const { json, live } = this.#output;
    const now = this.#now();
    if (now - this.#lastMs < (json ? JSON_MS : live ? REDRAW_MS : LINE_MS)) return;
    this.#lastMs = now;
    this.#show(figures);
  }

  /** Shows the last figures once more (and, on a terminal, removes the block when `clear`). */
  finish({ clear = false }: { clear?: boolean } = {}): void {
    if (this.#latest === undefined) return;
    if (this.#output.live && clear) {
      void this.#output.raw(erase(this.#drawn));
      this.#drawn = 0;
    } else if (this.#output.live || this.#output.json) this.#show(this.#latest);
  }

  #show(figures: StatusFigures): void {
    const { json, live } = this.#output;
    const elapsedMs = this.#now() - this.#startedMs;
    if (json) this.#output.progress({ event: "progress", ...figures, elapsedMs: Math.round(elapsedMs) });
    else if (live) {
      const lines = this.#block(figures, elapsedMs).map((line) => toWidth(line, this.#output.width));
      void this.#output.raw(`${erase(this.#drawn)}${lines.join("\n")}\n`);
      this.#drawn = lines.length;
    } else this.#output.note(this.#line(figures, elapsedMs));
  }

  #line(figures: StatusFigures, elapsedMs: number): string {
    const { label, completed, total, scored, rewardSum, passed } = figures;
    const mean = scored === 0 ? null : rewardSum / scored;
    return `${toTerminalLine(label)}: ${toCount(completed)}/${toCount(total)}, ${rateOf(figures, elapsedMs)}, reward ${toReward(mean)}, passed ${toPercent(scored === 0 ? null : passed / scored)}${missing(figures)}${eta(figures, elapsedMs)}`;
  }

  #block(figures: StatusFigures, elapsedMs: number): string[] {
    const { label, completed, total, scored, rewardSum, passed, outcomes, outcomeSum, outcomeUnit, tokens, costUsd } =
      figures;
    const { colors, width } = this.#output;
    const room = Math.max(10, Math.min(40, width - 50));
    const full = total === 0 ? room : Math.round((completed / total) * room);
    const bar = colors.green("━".repeat(full)) + colors.dim("━".repeat(room - full));
    const mean = scored === 0 ? null : rewardSum / scored;
    const money = tokens === 0 && costUsd === 0 ? "" : `  ${toCount(tokens)} tokens, $${costUsd.toFixed(4)}`;
    return [
      `${bar} ${toCount(completed)}/${toCount(total)}  ${toTerminalLine(label, width - room - 20)}`,
      `  reward ${toReward(mean)}  passed ${toPercent(scored === 0 ? null : passed / scored)}  outcome ${toUnit(outcomes === 0 ? null : outcomeSum / outcomes, outcomeUnit)} mean${missing(figures)}`,
      `  ${rateOf(figures, elapsedMs)}${money}${eta(figures, elapsedMs)}`,
    ];
  }
}

const erase = (lines: number) => (lines === 0 ? "" : `\u001b[${lines}A\u001b[0J`);

function missing({ unscored, errored, cancelled }: StatusFigures): string {
  const parts = Object.entries({ unscored, errored, cancelled }).filter(([, count]) => count > 0);
  return parts.length === 0 ? "" : ` (${parts.map(([name, count]) => `${toCount(count)} ${name}`).join(", ")})`;
}

function rateOf({ completed, resumed }: StatusFigures, elapsedMs: number): string {
  const rate = ((completed - resumed) / Math.max(1, elapsedMs)) * 1000;
  return `${rate >= 10 ? toCount(rate) : rate.toFixed(1)} rollouts/s`;
}

function eta({ completed, resumed, total }: StatusFigures, elapsedMs: number): string {
  const done = completed - resumed;
  if (done === 0 || completed >= total) return "";
  return `  ${toDuration(((total - completed) * elapsedMs) / done)} left`;
}
