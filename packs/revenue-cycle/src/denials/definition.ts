/** The denial world: its tables, and how payers and people answer what reaches them. */
import { defineWorld } from "windtunnel";
import { officeReactions } from "./office.js";
import { payerReactions } from "./payer.js";
import { tables } from "./world.js";

export const world = defineWorld(tables, { ...payerReactions, ...officeReactions });
