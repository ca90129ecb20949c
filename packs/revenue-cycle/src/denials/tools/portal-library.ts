/** What payers publish and have agreed: manual sections, coverage policies, contract clauses and rates. */
import { kind, money, ref, ToolError } from "windtunnel";
import { z } from "zod";
import { formatCents } from "../../codec/decimal.js";
import { CONTRACTS, rateFor } from "../../reference/contracts.js";
import { HCPCS } from "../../reference/hcpcs.js";
import { PAYER_IDS, type PayerId } from "../../reference/payer-profile.js";
import { PAYERS } from "../../reference/payers.js";
import { serviceDate } from "../world.js";
import { denialTool, found } from "./denial-tool.js";
import { recordOf } from "./record.js";

const sectionRecord = recordOf("sections", "section");
const headingRecord = recordOf("sections", "section", ["text", "payer"]);

const librarySearch = denialTool({
  name: "library_search",
  description:
    "Lists what a payer publishes, without the text: the sections of its manual, its coverage policies, or the clauses of the office's contract with it. Open one with library_read.",
  effect: "read",
  input: z.object({ payer: ref("payers"), source: z.enum(["manual", "policy", "contract"]) }),
  output: z.object({ payer: ref("payers"), name: z.string(), sections: z.array(headingRecord.schema) }),
  handle(world, { payer, source }) {
    const { name } = found(world, "payers", payer);
    return { payer, name, sections: world.where("sections", { payer, source }).map(headingRecord.view) };
  },
});

const libraryRead = denialTool({
  name: "library_read",
  description: "Opens one section in full. Sections can be cited as evidence.",
  effect: "read",
  input: z.object({ section: ref("sections") }),
  output: sectionRecord.schema,
  handle: (world, { section }) => sectionRecord.view(found(world, "sections", section)),
});

const isPayerId = (id: string): id is PayerId => (PAYER_IDS as readonly string[]).includes(id);

const contractRate = denialTool({
  name: "contract_rate",
  description:
    "Looks up what the contract with a payer pays for one unit of a code on a service date (rentals by the month; the purchase price beside it), whether a lower charge is paid instead, and the usual share of the patient in percent.",
  effect: "read",
  input: z.object({ payer: ref("payers"), hcpcs: kind("hcpcs"), service_date: serviceDate() }),
  output: z.object({
    payer: ref("payers"),
    hcpcs: kind("hcpcs"),
    label: z.string(),
    amount: money(),
    per: z.string(),
    purchase_amount: money().nullable(),
    lesser_of_charge: z.boolean(),
    patient_share_percent: z.number(),
    schedule: z.string(),
  }),
  handle(world, { payer, hcpcs, service_date: serviceDate }) {
    found(world, "payers", payer);
    if (!isPayerId(payer) || !CONTRACTS.has(payer))
      throw new ToolError("no_contract", `the office has no contract with payer ${payer}`, { payer });
    const code = HCPCS.find(hcpcs);
    if (code === undefined) throw new ToolError("not_found", `code "${hcpcs}" is not in the code set`, { hcpcs });
    const rate = rateFor(payer, hcpcs, [], serviceDate);
    if (!rate.found)
      throw new ToolError(
        rate.reason,
        `the contract with ${payer} has no rate for ${hcpcs} on ${serviceDate}: ${rate.reason.replaceAll("_", " ")}`,
        { payer, hcpcs },
      );
    const purchase = code.rental ? rateFor(payer, hcpcs, ["NU"], serviceDate) : undefined;
    return {
      payer,
      hcpcs,
      label: code.label,
      amount: formatCents(rate.unitRateCents),
      per: code.unitBasis,
      purchase_amount: purchase?.found === true ? formatCents(purchase.unitRateCents) : null,
      lesser_of_charge: rate.lesserOfCharge,
      patient_share_percent: PAYERS.get(payer).rules.coinsuranceBasisPoints / 100,
      schedule: rate.scheduleId,
    };
  },
});

export const libraryTools = [librarySearch, libraryRead, contractRate];
