/** Payers and the clearinghouse as the office reaches them. The portal is down now and then; a call that met that did nothing. */
import { defineSystem } from "windtunnel";
import type { DenialTables } from "../world.js";
import { coverageTools } from "./portal-coverage.js";
import { disputeTools } from "./portal-disputes.js";
import { libraryTools } from "./portal-library.js";

export const payerPortal = defineSystem<DenialTables>({
  name: "payer_portal",
  title: "Payer portals and clearinghouse",
  tools: [...coverageTools, ...libraryTools, ...disputeTools],
  faults: { unavailable: 0.01 },
});
