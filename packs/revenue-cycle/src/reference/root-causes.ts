/** Every root cause, and the picklist that a reason code offers. */
import type { RootCause } from "./root-cause.js";
import { AUTHORIZATION_CAUSES } from "./root-causes/authorization.js";
import { CODING_CAUSES } from "./root-causes/coding.js";
import { COVERAGE_CAUSES } from "./root-causes/coverage.js";
import { DATA_CAUSES } from "./root-causes/data.js";
import { NECESSITY_CAUSES } from "./root-causes/necessity.js";
import { PAYMENT_CAUSES } from "./root-causes/payment.js";
import { defineTable } from "./table.js";

/** Every root cause, by id. */
export const ROOT_CAUSES = defineTable<RootCause>("root causes", (row) => row.id, [
  ...DATA_CAUSES,
  ...COVERAGE_CAUSES,
  ...AUTHORIZATION_CAUSES,
  ...NECESSITY_CAUSES,
  ...CODING_CAUSES,
  ...PAYMENT_CAUSES,
]);

/** The picklist of a reason code: every cause that can stand behind it, in table order. */
export function rootCausesFor(carc: string): readonly RootCause[] {
  return ROOT_CAUSES.rows.filter((row) => row.carcs.includes(carc));
}
