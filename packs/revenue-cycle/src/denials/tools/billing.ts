/** The billing system as one system: reading, edits, corrections and money. */
import { defineSystem } from "windtunnel";
import type { DenialTables } from "../world.js";
import { accountTools } from "./accounts.js";
import { billingReadTools } from "./billing-read.js";
import { correctionTools } from "./corrections.js";
import { editsCheck } from "./edits-check.js";

export const billing = defineSystem<DenialTables>({
  name: "billing",
  title: "Billing system",
  tools: [...billingReadTools, editsCheck, ...correctionTools, ...accountTools],
});
