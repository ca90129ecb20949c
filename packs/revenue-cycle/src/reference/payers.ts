/** The payers of the worlds, by id. Names are invented, save Original Medicare; rules are each payer's own. */

import type { PayerId, PayerProfile } from "./payer-profile.js";
import { CRESTWAY } from "./payers/crestway.js";
import { HARBORLIGHT_ADVANTAGE } from "./payers/harborlight-advantage.js";
import { MEDICARE_REGION_C } from "./payers/medicare-region-c.js";
import { NORTHFIELD } from "./payers/northfield.js";
import { SILVERBIRCH_ADVANTAGE } from "./payers/silverbirch-advantage.js";
import { TRI_COUNTY_MEDICAID } from "./payers/tri-county-medicaid.js";
import { defineTable } from "./table.js";

const profiles: Readonly<Record<PayerId, PayerProfile>> = {
  "medicare-region-c": MEDICARE_REGION_C,
  "harborlight-advantage": HARBORLIGHT_ADVANTAGE,
  "silverbirch-advantage": SILVERBIRCH_ADVANTAGE,
  northfield: NORTHFIELD,
  crestway: CRESTWAY,
  "tri-county-medicaid": TRI_COUNTY_MEDICAID,
};

/** Every payer profile, by payer id. */
export const PAYERS = defineTable<PayerProfile>("payers", (row) => row.id, Object.values(profiles));
