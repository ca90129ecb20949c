/** The header of an 835 (payment, payer, payee) and its trailing provider adjustments (PLB). Owns their segments. */
import { fromIsoDate, toIsoDate } from "./calendar.js";
import { type CrossRule, segmentRule } from "./element.js";
import type { LoopFormat } from "./loop.js";
import { CITY, contactRule, readCity, readContact, readStreet, STREET, writeAddress, writeContact } from "./party.js";
import type { ProviderAdjustment, Remittance, RemittancePayee, RemittancePayer, Transfer } from "./remittance-835.js";
import { elementOf, type Segment, type Separators, splitComponents, type Written, written } from "./segment.js";
import { SlotTable } from "./slots.js";

/** A payment's own segments; its claims are read and written apart. */
export type RemittanceHead = Omit<Remittance, "claims">;

const PLB_AMOUNTS = 6;
const PLB_REASON = ["AN1-2!", "AN1-50"];

const wholeAmounts: CrossRule = (segment, report) => {
  for (let n = 5; n <= 13; n += 2) {
    const [reason, amount] = [elementOf(segment, n), elementOf(segment, n + 1)];
    if (reason !== "" && amount === "")
      report("conditional-element-missing", n + 1, `an amount, since element ${n} is given`, "");
    if (reason === "" && amount !== "")
      report("conditional-element-missing", n, `a reason, since element ${n + 1} is given`, "");
  }
};

export const remittanceFormat: LoopFormat<RemittanceHead> = {
  slots: new SlotTable(
    {
      "BPR!": segmentRule(21, [
        "=C|D|H|I|P|U|X!",
        "M1-18!",
        "=C|D!",
        "=ACH|BOP|CHK|FWT|NON!",
        "=CCP|CTX",
        "AN2-2",
        "AN3-12",
        "AN1-3",
        "AN1-35",
        "AN10-10",
        "",
        "AN2-2",
        "AN3-12",
        "AN1-3",
        "AN1-35",
        "D!",
      ]),
      "TRN*1!": segmentRule(4, ["=1!", "AN1-50!", "AN10-10!"]),
      "DTM*405": segmentRule(6, ["=405!", "D!"]),
      "N1*PR!": segmentRule(6, ["=PR!", "AN1-60!", "=XV", "AN2-80"]),
      "N1*PR N3": STREET,
      "N1*PR N4": CITY,
      "N1*PR PER*BL+": contactRule("BL"),
      "N1*PE!": segmentRule(6, ["=PE!", "AN1-60!", "=XX|FI|XV!", "AN2-80!"]),
      "N1*PE N3": STREET,
      "N1*PE N4": CITY,
      "N1*PE REF*TJ": segmentRule(4, ["=TJ!", "AN1-50!"]),
      "PLB+": segmentRule(
        14,
        [
          "AN1-50!",
          "D!",
          ["!", ...PLB_REASON],
          "M1-18!",
          ...Array.from({ length: PLB_AMOUNTS - 1 }, () => [["?", ...PLB_REASON], "M1-18"]).flat(),
        ],
        wholeAmounts,
      ),
    },
    {
      order: "BPR NTE TRN CUR DTM N1 N3 N4 REF PER RDM PLB",
      openers: ["N1", "PLB"],
      alien: ["CAS", "NM1", "MOA", "MIA", "AMT", "LQ", "BHT", "HL"],
    },
  ),
  read(segments, { separators, problems }) {
    const adjustments: ProviderAdjustment[] = [];
    const value: RemittanceHead = {
      paid: "",
      method: "NON",
      date: "",
      trace: "",
      originId: "",
      payer: { name: "" },
      payee: { name: "", id: "" },
      providerAdjustments: adjustments,
    };
    this.slots.walk(
      segments,
      separators,
      (segment, { slot }) => {
        switch (slot?.name) {
          case "BPR":
            readPayment(segment, value);
            break;
          case "TRN*1":
            value.trace = elementOf(segment, 2);
            value.originId = elementOf(segment, 3);
            break;
          case "DTM*405":
            value.productionDate = toIsoDate(elementOf(segment, 2));
            break;
          case "N1*PR":
            value.payer = readPayer(segment);
            break;
          case "N1*PR N3":
            value.payer.address = readStreet(segment, value.payer.address);
            break;
          case "N1*PR N4":
            value.payer.address = readCity(segment, value.payer.address);
            break;
          case "N1*PR PER*BL":
            value.payer.contact ??= readContact(segment);
            break;
          case "N1*PE":
            value.payee = readPayee(segment);
            break;
          case "N1*PE N3":
            value.payee.address = readStreet(segment, value.payee.address);
            break;
          case "N1*PE N4":
            value.payee.address = readCity(segment, value.payee.address);
            break;
          case "N1*PE REF*TJ":
            value.payee.taxId = elementOf(segment, 2);
            break;
          case "PLB":
            adjustments.push(...readProviderAdjustments(segment, separators));
        }
      },
      problems,
    );
    return value;
  },
  write(value) {
    const { payer, payee, productionDate } = value;
    return [
      writePayment(value),
      written("TRN", "1", value.trace, value.originId),
      ...(productionDate === undefined ? [] : [written("DTM", "405", fromIsoDate(productionDate))]),
      written("N1", "PR", payer.name, payer.id === undefined ? "" : "XV", payer.id ?? ""),
      ...writeAddress(payer.address),
      ...(payer.contact === undefined ? [] : [writeContact("BL", payer.contact)]),
      written("N1", "PE", payee.name, payee.idQualifier ?? "XX", payee.id),
      ...writeAddress(payee.address),
      ...(payee.taxId === undefined ? [] : [written("REF", "TJ", payee.taxId)]),
      ...writeProviderAdjustments(value.providerAdjustments),
    ];
  },
};

function readPayment(segment: Segment, value: RemittanceHead): void {
  const [, handling = "", paid = "", direction, method = "", format] = segment.elements;
  Object.assign(value, { paid, method, date: toIsoDate(elementOf(segment, 16)) });
  if (handling !== "I") value.handling = handling as NonNullable<Remittance["handling"]>;
  if (direction === "D") value.direction = direction;
  if (format === "CCP" || format === "CTX") {
    const [payerRouting = "", , payerAccount = "", originId = ""] = segment.elements.slice(7);
    const transfer: Transfer = {
      format,
      payerRouting,
      payerAccount,
      originId,
      payeeRouting: elementOf(segment, 13),
      payeeAccount: elementOf(segment, 15),
    };
    value.transfer = transfer;
  }
}

function writePayment({ handling, paid, direction, method, transfer, date }: RemittanceHead): Written {
  const bank =
    transfer === undefined
      ? Array.from({ length: 11 }, () => "")
      : [
          transfer.format,
          "01",
          transfer.payerRouting,
          "DA",
          transfer.payerAccount,
          transfer.originId,
          undefined,
          "01",
          transfer.payeeRouting,
          "DA",
          transfer.payeeAccount,
        ];
  return written("BPR", handling ?? "I", paid, direction ?? "C", method, ...bank, fromIsoDate(date));
}

function readPayer(segment: Segment): RemittancePayer {
  const payer: RemittancePayer = { name: elementOf(segment, 2) };
  const id = elementOf(segment, 4);
  if (id !== "") payer.id = id;
  return payer;
}

function readPayee(segment: Segment): RemittancePayee {
  const payee: RemittancePayee = { name: elementOf(segment, 2), id: elementOf(segment, 4) };
  const qualifier = elementOf(segment, 3);
  if (qualifier === "FI" || qualifier === "XV") payee.idQualifier = qualifier;
  return payee;
}

function readProviderAdjustments(segment: Segment, separators: Separators): ProviderAdjustment[] {
  const [, providerId = "", date = ""] = segment.elements;
  const list: ProviderAdjustment[] = [];
  for (let n = 3; n < segment.elements.length; n += 2) {
    const [reason = "", reference = ""] = splitComponents(elementOf(segment, n), separators);
    if (reason === "") continue;
    const adjustment: ProviderAdjustment = {
      providerId,
      fiscalYearEnd: toIsoDate(date),
      reason,
      amount: elementOf(segment, n + 1),
    };
    if (reference !== "") adjustment.reference = reference;
    list.push(adjustment);
  }
  return list;
}

function writeProviderAdjustments(list: readonly ProviderAdjustment[]): Written[] {
  const runs: ProviderAdjustment[][] = [];
  for (const one of list) {
    const run = runs.at(-1);
    const [first] = run ?? [];
    const joins = first?.providerId === one.providerId && first.fiscalYearEnd === one.fiscalYearEnd;
    if (run !== undefined && joins && run.length < PLB_AMOUNTS) run.push(one);
    else runs.push([one]);
  }
  return runs.map((run) => {
    const amounts = run.flatMap(({ reason, reference = "", amount }) => [[reason, reference], amount]);
    return written("PLB", ...[run[0]?.providerId, fromIsoDate(run[0]?.fiscalYearEnd ?? ""), ...amounts]);
  });
}
