/** X12 005010 files of the revenue cycle: 837P claims, 277CA acknowledgments, 835 remittances, and exact money. */
export * from "./acknowledgment-277ca.js";
export type { Adjustment, AdjustmentGroup, Procedure } from "./adjustment.js";
export type { IsoDate } from "./calendar.js";
export * from "./claim-837p.js";
export {
  addMoney,
  compareMoney,
  formatCents,
  type Money,
  multiplyMoney,
  parseMoney,
  subtractMoney,
  sumMoney,
  toCents,
} from "./decimal.js";
export { defineEnvelope, type Envelope, type EnvelopeOptions } from "./file.js";
export { dropSource, type Source } from "./loop.js";
export type { Address, Birth, Contact, Entity, PartyName } from "./party.js";
export { type Parsed, type Position, type Problem, type ProblemCode, X12WriteError } from "./problem.js";
export * from "./remittance-835.js";
export { type BalanceFormula, type BalanceProblem, balanceRemittance } from "./remittance-835-balance.js";
export {
  elementOf,
  type Segment,
  type Separators,
  STANDARD_SEPARATORS,
  splitComponents,
  splitRepetitions,
} from "./segment.js";
export {
  type Group,
  type GroupHeader,
  type Interchange,
  type InterchangeHeader,
  parseInterchange,
  type Transaction,
  toInterchange,
} from "./x12.js";
