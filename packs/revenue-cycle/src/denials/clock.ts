/** When others answer: mornings, a number of days from today, drawn from a payer's published range. The same act gets the same delay. */
import type { World } from "windtunnel";
import type { Latency } from "../reference/payer-profile.js";
import { PAYERS } from "../reference/payers.js";
import { addDays, dateOf, msOf } from "./calendar.js";
import type { DenialTables } from "./world.js";

const MORNING_MS = 6 * 3_600_000;

/** Six in the morning, `days` after today (ms). */
export function morningAfter(world: World<DenialTables>, days: number): number {
  return msOf(addDays(dateOf(world.now), days)) + MORNING_MS;
}

/** The morning on which `payer` answers something of this kind that reaches it today; `about` names the act. At least one day on. */
export function answeredOn(world: World<DenialTables>, payer: string, latency: Latency, about: string): number {
  const { minDays, maxDays } = PAYERS.find(payer)?.clocks.latencyDays[latency] ?? { minDays: 14, maxDays: 30 };
  return morningAfter(world, Math.max(1, world.random(`latency/${latency}/${about}`).int(minDays, maxDays)));
}
