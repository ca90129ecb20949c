import { describe, expect, test } from "vitest";
import { balanceRemittance, parseRemittances } from "../codec/index.js";
import { type Office, OTHER_NPI, openSmallOffice, pass, rightContent, use } from "./tools/small-office.js";

type Change = readonly [tool: string, args: Record<string, unknown>];
const AUTHORIZATION: Change = ["correction_set_authorization", { authorization: "A55501234" }];

/** Sends a correction with these changes and returns the id of the claim that went out. */
function send(world: Office, changes: readonly Change[], channel = "replacement_claim", claim = "CLM-1"): string {
  const { correction } = use(world, "correction_open", { claim, channel });
  for (const [tool, args] of changes) use(world, tool, { correction, ...args });
  return use(world, "correction_submit", { correction }).claim;
}

const paid = (world: Office) =>
  world
    .all("ledger")
    .filter(({ entry }) => entry === "payer_payment")
    .map(({ amount }) => Number(amount))
    .reduce((sum, amount) => sum - amount, 0);
const reasonOf = (world: Office, claim: string) => {
  const remit = world.where("remits", { claim }).at(-1)!;
  return world.where("remit_lines", { remit: remit.id })[0]!.adjustments[0]!;
};
const expectBalanced = (world: Office) => {
  for (const { file } of world.all("remits")) {
    const parsed = parseRemittances(file);
    expect(parsed.problems).toEqual([]);
    expect(parsed.ok && parsed.value.remittances.flatMap(balanceRemittance)).toEqual([]);
  }
  expect(world.validate()).toEqual([]);
};

describe("corrected claims", () => {
  test("the right correction is acknowledged the next day and paid after the payer's latency, to the cent", () => {
    const world = openSmallOffice();
    const claim = send(world, [AUTHORIZATION]);
    pass(world, 1);
    expect(world.where("acknowledgments", { claim })).toMatchObject([
      { source: "277CA", category: "A2", receivedOn: "2026-03-03" },
    ]);
    expect(world.need("claims", claim)).toMatchObject({
      status: "accepted",
      payerClaimNumber: expect.stringMatching(/^P\d{11}$/),
    });
    expect(paid(world)).toBe(0);
    pass(world, 35);
    expect(paid(world)).toBe(640);
    expect(world.need("claims", claim).status).toBe("paid");
    expect(world.need("claims", "CLM-1").status).toBe("reversed");
    expect(use(world, "account_get", { claim: "CLM-1" }).open_balance).toBe("0.00");
    expect(world.where("remits", { claim })).toMatchObject([
      { charge: "1200.00", paid: "640.00", patientResponsibility: "160.00" },
    ]);
    expectBalanced(world);
  });

  test("the payment of a replacement reverses the first decision in the same file", () => {
    const world = openSmallOffice();
    const claim = send(world, [AUTHORIZATION]);
    pass(world, 60);
    const parsed = parseRemittances(world.where("remits", { claim })[0]!.file);
    expect(parsed.ok && parsed.value.remittances[0]!.claims.map(({ status }) => status)).toEqual(["22", "1"]);
  });

  test("the order of diagnoses and of modifiers does not matter", () => {
    const pays = rightContent();
    const world = openSmallOffice({
      pays: {
        ...pays,
        diagnoses: ["I10", "G47.33"],
        lines: [{ ...pays.lines[0]!, modifiers: ["KX", "RR"] }, pays.lines[1]!],
      },
    });
    send(world, [AUTHORIZATION]);
    pass(world, 60);
    expect(paid(world)).toBe(640);
  });

  test.each<[string, Change, string]>([
    ["coverage", ["correction_set_coverage", { coverage: "COV-4" }], "22"],
    ["rendering provider", ["correction_set_provider", { role: "rendering", npi: OTHER_NPI }], "16"],
    ["ordering provider", ["correction_set_provider", { role: "ordering", npi: "1234567893" }], "16"],
    ["authorization", ["correction_set_authorization", { authorization: "A55501243" }], "197"],
    ["diagnosis", ["correction_add_diagnosis", { diagnosis: "J44.9" }], "11"],
    ["modifier", ["correction_add_modifier", { line: "LIN-2", modifier: "JZ" }], "4"],
    ["units", ["correction_set_units", { line: "LIN-2", units: "9" }], "16"],
    ["NDC", ["correction_set_ndc", { line: "LIN-2", ndc: "00000000001" }], "16"],
  ])("one wrong field, the %s, is enough to be denied", (_field, change, carc) => {
    const world = openSmallOffice();
    const claim = send(world, [AUTHORIZATION, change]);
    pass(world, 60);
    expect(paid(world)).toBe(0);
    expect(world.need("claims", claim).status).toBe("denied");
    expect(reasonOf(world, claim).carc).toBe(carc);
    expectBalanced(world);
  });

  test("an unknown member is rejected on arrival and never adjudicated", () => {
    const world = openSmallOffice();
    const claim = send(world, [AUTHORIZATION, ["correction_set_member_id", { member_id: "NF000000001" }]]);
    pass(world, 60);
    expect(world.where("acknowledgments", { claim })).toMatchObject([{ category: "A7" }]);
    expect(world.need("claims", claim)).toMatchObject({ status: "rejected", payerClaimNumber: null });
    expect(world.where("remits", { claim })).toEqual([]);
  });

  test("a claim sent by a way that the payer does not take is denied", () => {
    const world = openSmallOffice();
    const claim = send(world, [AUTHORIZATION], "new_claim");
    pass(world, 60);
    expect(paid(world)).toBe(0);
    expect(reasonOf(world, claim)).toMatchObject({ group: "OA", carc: "18" });
  });

  test("the right correction is paid on its last day and denied the day after", () => {
    const last = openSmallOffice({ pays: { ...rightContent(), by: "2026-03-02" } });
    send(last, [AUTHORIZATION]);
    pass(last, 60);
    expect(paid(last)).toBe(640);
    const late = openSmallOffice({ pays: { ...rightContent(), by: "2026-03-01" } });
    const claim = send(late, [AUTHORIZATION]);
    pass(late, 60);
    expect(paid(late)).toBe(0);
    expect(reasonOf(late, claim).carc).toBe("29");
  });

  test("any one of several right versions is paid", () => {
    const world = openSmallOffice();
    const pays = rightContent();
    world.insert("payer_truth", {
      claim: "CLM-1",
      pays: { ...pays, lines: [pays.lines[0]!, { ...pays.lines[1]!, modifiers: ["JZ"] }] },
      overturns: null,
      records: null,
      retro: null,
    });
    send(world, [AUTHORIZATION, ["correction_add_modifier", { line: "LIN-2", modifier: "JZ" }]]);
    pass(world, 60);
    expect(paid(world)).toBe(640);
  });

  test("a claim that no correction would save is denied for the same reason again", () => {
    const world = openSmallOffice({ pays: null });
    const claim = send(world, [AUTHORIZATION]);
    pass(world, 60);
    expect(reasonOf(world, claim).carc).toBe("197");
  });

  test("a second submission is a duplicate, and nothing is paid twice", () => {
    const world = openSmallOffice();
    send(world, [AUTHORIZATION]);
    const second = send(world, [AUTHORIZATION]);
    pass(world, 90);
    expect(paid(world)).toBe(640);
    expect(world.all("remits").filter(({ paid: amount }) => amount === "640.00")).toHaveLength(1);
    expect(reasonOf(world, second)).toMatchObject({ group: "OA", carc: "18" });
  });

  test("a correction of a correction is paid when the second one is right", () => {
    const world = openSmallOffice();
    const first = send(world, [["correction_set_authorization", { authorization: "A55501243" }]]);
    pass(world, 60);
    send(world, [AUTHORIZATION], "replacement_claim", first);
    pass(world, 60);
    expect(paid(world)).toBe(640);
    expect(use(world, "account_get", { claim: "CLM-1" }).open_balance).toBe("0.00");
    expectBalanced(world);
  });

  test("Original Medicare rejects a replacement claim on arrival", () => {
    const world = openSmallOffice({
      pays: { ...rightContent(), coverage: "COV-2", memberId: "1AC2DE3FG45", channels: ["new_claim"] },
    });
    const claim = send(world, [AUTHORIZATION, ["correction_set_coverage", { coverage: "COV-2" }]]);
    pass(world, 2);
    expect(world.where("acknowledgments", { claim })).toMatchObject([
      { category: "A7", meaning: expect.stringContaining("frequency 7") },
    ]);
  });

  test("a reopening is decided without an acknowledgment", () => {
    const world = openSmallOffice({ pays: { ...rightContent(), channels: ["reopening"] } });
    const claim = send(world, [AUTHORIZATION], "reopening");
    pass(world, 60);
    expect(world.where("acknowledgments", { claim })).toEqual([]);
    expect(paid(world)).toBe(640);
    expectBalanced(world);
  });

  test("only what is still open is paid anew when some lines were paid before", () => {
    const world = openSmallOffice({ pays: { ...rightContent(), amount: "100.00", patient: "25.00" } });
    const line = world.where("remit_lines", { remit: "ERA-1", line: "LIN-2" })[0]!;
    world.update("remit_lines", line.id, {
      paid: "700.00",
      adjustments: [
        { group: "CO", carc: "45", amount: "125.00" },
        { group: "PR", carc: "2", amount: "175.00" },
      ],
      remarks: [],
    });
    world.update("remits", "ERA-1", { paid: "700.00", patientResponsibility: "175.00" });
    for (const [entry, amount, by] of [
      ["payer_payment", "-700.00", "payer"],
      ["contractual", "-125.00", "office"],
      ["patient_billed", "-175.00", "office"],
    ] as const) {
      world.insert("ledger", { claim: "CLM-1", line: "LIN-2", entry, amount, on: "2026-02-15", by, note: "as paid" });
    }
    const claim = send(world, [AUTHORIZATION]);
    pass(world, 60);
    expect(paid(world)).toBe(800);
    const remit = world.where("remits", { claim })[0]!;
    expect(remit).toMatchObject({ paid: "800.00", patientResponsibility: "200.00" });
    const parsed = parseRemittances(remit.file);
    expect(parsed.ok && parsed.value.remittances[0]!.paid).toBe("100");
    expect(use(world, "account_get", { claim: "CLM-1" }).open_balance).toBe("0.00");
    expectBalanced(world);
  });
});

describe("appeals", () => {
  const overturns = {
    channels: ["appeal" as const],
    evidence: ["PG-1", "SEC-1"],
    by: "2026-05-01",
    amount: "640.00",
    patient: "160.00",
  };
  function appeal(world: Office, channel: string, evidence: readonly string[]): string {
    const { appeal: id } = use(world, "appeal_open", { claim: "CLM-1", channel });
    for (const one of evidence) use(world, "evidence_cite", { by: id, evidence: one });
    use(world, "appeal_submit", { appeal: id, letter: "Claim CLM-1." });
    return id;
  }

  test("an appeal by the right channel with all its evidence is won and paid", () => {
    const world = openSmallOffice({ overturns });
    const id = appeal(world, "appeal", ["PG-1", "SEC-1", "PG-2"]);
    pass(world, 29);
    expect(world.need("appeals", id).status).toBe("sent");
    pass(world, 20);
    expect(world.need("appeals", id).status).toBe("overturned");
    expect(paid(world)).toBe(640);
    expect(world.need("claims", "CLM-1").status).toBe("paid");
    expectBalanced(world);
  });

  test("an appeal that lacks one piece of evidence is lost", () => {
    const world = openSmallOffice({ overturns });
    const id = appeal(world, "appeal", ["PG-1"]);
    pass(world, 60);
    expect(world.need("appeals", id).status).toBe("upheld");
    expect(paid(world)).toBe(0);
  });

  test("an appeal by the wrong channel, too late, or of what nothing overturns is dismissed", () => {
    for (const [truth, channel] of [
      [{ overturns }, "reconsideration"],
      [{ overturns: { ...overturns, by: "2026-03-01" } }, "appeal"],
      [{ overturns: null }, "appeal"],
    ] as const) {
      const world = openSmallOffice(truth);
      const id = appeal(world, channel, ["PG-1", "SEC-1"]);
      pass(world, 60);
      expect(world.need("appeals", id).status).toBe("dismissed");
      expect(paid(world)).toBe(0);
    }
  });

  test("an appeal of a claim that was paid meanwhile is dismissed, and nothing is paid twice", () => {
    const world = openSmallOffice({ pays: rightContent(), overturns });
    send(world, [AUTHORIZATION]);
    appeal(world, "appeal", ["PG-1", "SEC-1"]);
    pass(world, 90);
    expect(paid(world)).toBe(640);
  });

  test("an underpayment that is won takes back the allowance that was posted too high", () => {
    const world = openSmallOffice({ overturns: { ...overturns, amount: "40.00", patient: "0.00" } });
    for (const { id, line, charge } of world.where("remit_lines", { remit: "ERA-1" })) {
      const half = (Number(charge) / 2).toFixed(2);
      world.update("remit_lines", id, { paid: half, adjustments: [{ group: "CO", carc: "45", amount: half }] });
      world.insert("ledger", {
        claim: "CLM-1",
        line,
        entry: "payer_payment",
        amount: `-${half}`,
        on: "2026-02-15",
        by: "payer",
        note: "payment",
      });
      world.insert("ledger", {
        claim: "CLM-1",
        line,
        entry: "contractual",
        amount: `-${half}`,
        on: "2026-02-15",
        by: "office",
        note: "contract allowance",
      });
    }
    world.update("remits", "ERA-1", { paid: "600.00" });
    appeal(world, "appeal", ["PG-1", "SEC-1"]);
    pass(world, 60);
    expect(paid(world)).toBe(640);
    expect(use(world, "account_get", { claim: "CLM-1" }).open_balance).toBe("0.00");
    expectBalanced(world);
  });

  test("what a person wrote off before the payer paid stays visible as a credit", () => {
    const world = openSmallOffice({ overturns });
    appeal(world, "appeal", ["PG-1", "SEC-1"]);
    use(world, "adjust_post", { line: "LIN-1", type: "write_off", amount: "200.00" });
    use(world, "adjust_post", { line: "LIN-2", type: "write_off", amount: "1000.00" });
    pass(world, 60);
    expect(paid(world)).toBe(640);
    expect(Number(use(world, "account_get", { claim: "CLM-1" }).open_balance)).toBeLessThan(0);
  });
});

describe("records and authorizations", () => {
  const records = { request: "REQ-1", pages: ["PG-1", "PG-2"], by: "2026-04-06", amount: "640.00", patient: "160.00" };

  test("records that are complete in time are answered with payment, once", () => {
    const world = openSmallOffice({ records });
    use(world, "records_send", { request: "REQ-1", page: "PG-1" });
    pass(world, 2);
    expect(world.need("record_requests", "REQ-1").status).toBe("open");
    use(world, "records_send", { request: "REQ-1", page: "PG-2" });
    pass(world, 2);
    expect(world.need("record_requests", "REQ-1").status).toBe("answered");
    pass(world, 60);
    expect(paid(world)).toBe(640);
    expectBalanced(world);
  });

  test("records that lack a page, or come late, are not paid", () => {
    const short = openSmallOffice({ records });
    use(short, "records_send", { request: "REQ-1", page: "PG-1" });
    pass(short, 60);
    const late = openSmallOffice({ records: { ...records, by: "2026-03-01" } });
    for (const page of records.pages) use(late, "records_send", { request: "REQ-1", page });
    pass(late, 60);
    expect([paid(short), paid(late)]).toEqual([0, 0]);
    expect(short.where("letters", { subject: "Records received" })).toHaveLength(1);
  });

  const retro = { evidence: ["PG-2"], by: "2026-04-20", number: "A77700001" };
  const ask = (world: Office, evidence: readonly string[]) => {
    const { retro_request } = use(world, "retro_auth_open", { claim: "CLM-1" });
    for (const one of evidence) use(world, "evidence_cite", { by: retro_request, evidence: one });
    use(world, "retro_auth_submit", { retro_request });
    pass(world, 60);
    return world.need("retro_requests", retro_request);
  };

  test("a supported request in time is granted, and its number is then on file and pays the claim", () => {
    const world = openSmallOffice({ retro, pays: { ...rightContent(), authorization: "A77700001" } });
    expect(ask(world, ["PG-2"]).status).toBe("approved");
    const numbers = use(world, "auth_search", { patient: "PT-1" }).authorizations.map(
      ({ number }: { number: string }) => number,
    );
    expect(numbers).toContain("A77700001");
    send(world, [["correction_set_authorization", { authorization: "A77700001" }]]);
    pass(world, 60);
    expect(paid(world)).toBe(640);
  });

  test("an unsupported or late request is refused and leaves no number", () => {
    for (const [truth, evidence] of [
      [retro, []],
      [{ ...retro, by: "2026-03-01" }, ["PG-2"]],
      [null, ["PG-2"]],
    ] as const) {
      const world = openSmallOffice({ retro: truth === null ? null : { ...truth, evidence: [...truth.evidence] } });
      expect(ask(world, evidence)).toMatchObject({ status: "refused", authorization: null });
      expect(world.all("authorizations")).toHaveLength(1);
    }
  });
});
