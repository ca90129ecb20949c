/** The systems of the office and every tool on them. */
import type { System } from "windtunnel";
import type { DenialTables } from "../world.js";
import { billing } from "./billing.js";
import { chart } from "./chart.js";
import { payerPortal } from "./payer-portal.js";
import { workqueue } from "./workqueue.js";

/** The four systems an agent works with. */
export const systems: readonly System<DenialTables>[] = [workqueue, billing, chart, payerPortal];

/** How many tools the systems have together. */
export const TOOL_COUNT = systems.reduce((sum, { tools }) => sum + tools.length, 0);
