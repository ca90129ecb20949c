import { describe, expect, test } from "vitest";
import { balanceRemittance, parseClaims, parseRemittances } from "../../codec/index.js";
import { NPI, OTHER_NPI, openSmallOffice, pass, refusal, TODAY, use } from "./small-office.js";

describe("corrections", () => {
  const open = (world = openSmallOffice(), channel = "replacement_claim") => ({
    world,
    correction: use(world, "correction_open", { claim: "CLM-1", channel }).correction as string,
  });

  test("a replacement goes out with every change, frequency 7 and the payer's number, and leaves the ledger as it was", () => {
    const { world, correction } = open();
    const before = world.all("ledger").length;
    use(world, "correction_set_authorization", { correction, authorization: "A55501234" });
    use(world, "correction_set_provider", { correction, role: "rendering", npi: OTHER_NPI });
    use(world, "correction_set_provider", { correction, role: "ordering", npi: NPI });
    use(world, "correction_set_member_id", { correction, member_id: "NF000000001" });
    use(world, "correction_add_diagnosis", { correction, diagnosis: "J44.9" });
    use(world, "correction_add_modifier", { correction, line: "LIN-1", modifier: "KH" });
    use(world, "correction_set_units", { correction, line: "LIN-2", units: "5" });
    use(world, "correction_set_ndc", { correction, line: "LIN-2", ndc: "00000000001" });
    const sent = use(world, "correction_submit", { correction });
    expect(sent).toMatchObject({ corrects: "CLM-1", frequency: "7", original_reference: "P00000000001" });
    const claim = world.need("claims", sent.claim);
    expect(claim).toMatchObject({
      status: "submitted",
      authorization: "A55501234",
      renderingNpi: OTHER_NPI,
      orderingNpi: NPI,
      memberId: "NF000000001",
      diagnoses: ["G47.33", "I10", "J44.9"],
      total: "700.00",
      payerClaimNumber: null,
    });
    expect(world.where("claim_lines", { claim: claim.id })).toMatchObject([
      { number: 1, modifiers: ["RR", "KX", "KH"] },
      { number: 2, units: "5", charge: "500.00", ndc: "00000000001" },
    ]);
    const parsed = parseClaims(claim.file);
    expect(parsed.ok && parsed.value.claims[0]).toMatchObject({
      frequency: "7",
      originalReference: "P00000000001",
      priorAuthorization: "A55501234",
    });
    expect(world.all("ledger").length).toBe(before);
    expect(world.validate()).toEqual([]);
  });

  test("another coverage brings its payer and its member id", () => {
    const { world, correction } = open(openSmallOffice(), "new_claim");
    use(world, "correction_set_coverage", { correction, coverage: "COV-2" });
    const claim = world.need("claims", use(world, "correction_submit", { correction }).claim);
    expect(claim).toMatchObject({
      payer: "medicare-region-c",
      memberId: "1AC2DE3FG45",
      frequency: "1",
      originalReference: null,
      channel: "new_claim",
    });
  });

  test("one value replaces another of the same field, and the same diagnosis twice is one", () => {
    const { world, correction } = open();
    use(world, "correction_set_authorization", { correction, authorization: "A1" + "11" });
    const { change } = use(world, "correction_set_authorization", { correction, authorization: "A2" + "22" });
    use(world, "correction_add_diagnosis", { correction, diagnosis: "J44.9" });
    use(world, "correction_add_diagnosis", { correction, diagnosis: "J44.9" });
    expect(world.where("correction_changes", { correction }).map(({ id, value }) => [id, value])).toEqual([
      [change, "A222"],
      [expect.any(String), "J44.9"],
    ]);
  });

  test("opening a second draft of a claim throws the first away with its changes", () => {
    const { world, correction } = open();
    use(world, "correction_add_modifier", { correction, line: "LIN-1", modifier: "KH" });
    use(world, "correction_open", { claim: "CLM-1", channel: "new_claim" });
    expect(world.get("corrections", correction as string)).toBeUndefined();
    expect(world.where("correction_changes", { correction: correction as string })).toEqual([]);
  });

  test("changes to a sent correction are refused", () => {
    const { world, correction } = open();
    use(world, "correction_submit", { correction });
    expect(refusal(world, "correction_submit", { correction })).toBe("already_sent");
    expect(refusal(world, "correction_set_authorization", { correction, authorization: "A55501234" })).toBe(
      "already_sent",
    );
  });

  test("values that are not well formed or not in a code set are refused", () => {
    const { world, correction } = open();
    const refuses = (tool: string, args: Record<string, unknown>) => refusal(world, tool, { correction, ...args });
    expect(refuses("correction_set_provider", { role: "rendering", npi: "1234567890" })).toBe("invalid_npi");
    expect(refuses("correction_set_member_id", { member_id: "NF 1" })).toBe("invalid_member_id");
    expect(refuses("correction_set_authorization", { authorization: "*" })).toBe("invalid_authorization");
    expect(refuses("correction_add_diagnosis", { diagnosis: "Q99.99" })).toBe("unknown_code");
    expect(refuses("correction_add_diagnosis", { diagnosis: "I10" })).toBe("already_there");
    expect(refuses("correction_add_modifier", { line: "LIN-1", modifier: "59" })).toBe("unknown_code");
    expect(refuses("correction_add_modifier", { line: "LIN-1", modifier: "RR" })).toBe("already_there");
    expect(refuses("correction_set_units", { line: "LIN-1", units: "0" })).toBe("invalid_units");
    expect(refuses("correction_set_units", { line: "LIN-1", units: "1.5" })).toBe("invalid_units");
    expect(refuses("correction_set_ndc", { line: "LIN-2", ndc: "123" })).toBe("invalid_ndc");
    expect(refuses("correction_set_coverage", { coverage: "COV-3" })).toBe("wrong_patient");
    use(world, "correction_add_modifier", { correction, line: "LIN-1", modifier: "KH" });
    use(world, "correction_add_modifier", { correction, line: "LIN-1", modifier: "XU" });
    expect(refuses("correction_add_modifier", { line: "LIN-1", modifier: "XE" })).toBe("too_many");
  });

  test("a claim that the payer never processed cannot be replaced, and a rejected replacement goes out again as one", () => {
    const world = openSmallOffice();
    world.update("claims", "CLM-1", { status: "rejected", payerClaimNumber: null });
    const replacement = open(world).correction;
    expect(refusal(world, "correction_submit", { correction: replacement })).toBe("no_payer_claim_number");
    world.update("corrections", replacement, { status: "sent", sentAs: "CLM-1" });
    world.update("claims", "CLM-1", { frequency: "7", originalReference: "P00000000077" });
    const again = open(world, "new_claim").correction;
    expect(use(world, "correction_submit", { correction: again })).toMatchObject({
      frequency: "7",
      original_reference: "P00000000077",
    });
  });
});

describe("money", () => {
  test("an adjustment lowers the line's balance and never takes more than is open", () => {
    const world = openSmallOffice();
    expect(use(world, "adjust_post", { line: "LIN-1", type: "write_off", amount: "150.00" })).toMatchObject({
      amount: "-150.00",
      open_balance: "50.00",
    });
    expect(refusal(world, "adjust_post", { line: "LIN-1", type: "contractual", amount: "50.01" })).toBe(
      "amount_too_large",
    );
    expect(refusal(world, "adjust_post", { line: "LIN-1", type: "contractual", amount: "0.00" })).toBe(
      "invalid_amount",
    );
    expect(refusal(world, "adjust_post", { line: "LIN-1", type: "contractual", amount: "-5.00" })).toBe(
      "invalid_amount",
    );
  });

  test("what the patient was billed cannot be adjusted off a line as well", () => {
    const world = openSmallOffice();
    use(world, "statement_send", { claim: "CLM-1", amount: "1150.00" });
    expect(refusal(world, "adjust_post", { line: "LIN-1", type: "write_off", amount: "100.00" })).toBe(
      "amount_too_large",
    );
  });

  test("a statement goes out up to the open balance, and not while statements are held", () => {
    const world = openSmallOffice();
    expect(refusal(world, "statement_send", { claim: "CLM-1", amount: "1200.01" })).toBe("amount_too_large");
    expect(use(world, "statement_send", { claim: "CLM-1", amount: "200.00" })).toMatchObject({
      open_balance: "1000.00",
    });
    use(world, "statement_hold", { claim: "CLM-1" });
    expect(refusal(world, "statement_send", { claim: "CLM-1", amount: "1.00" })).toBe("on_hold");
    expect(refusal(world, "statement_hold", { claim: "CLM-1" })).toBe("already_held");
  });

  test("a refund gives back no more than the payer paid", () => {
    const world = openSmallOffice();
    expect(refusal(world, "refund_request", { claim: "CLM-1", amount: "1.00" })).toBe("amount_too_large");
    world.insert("ledger", {
      claim: "CLM-1",
      line: "LIN-1",
      entry: "payer_payment",
      amount: "-300.00",
      on: TODAY,
      by: "payer",
      note: "payment",
    });
    expect(use(world, "refund_request", { claim: "CLM-1", amount: "100.00" })).toMatchObject({
      payer: "northfield",
      open_balance: "1000.00",
    });
    expect(refusal(world, "refund_request", { claim: "CLM-1", amount: "200.01" })).toBe("amount_too_large");
  });
});

describe("disputes", () => {
  test("evidence is cited once, by drafts and escalations, and must exist", () => {
    const world = openSmallOffice();
    const { appeal } = use(world, "appeal_open", { claim: "CLM-1", channel: "appeal" });
    expect(refusal(world, "appeal_open", { claim: "CLM-1", channel: "payer_dispute" })).toBe("draft_open");
    const first = use(world, "evidence_cite", { by: appeal, evidence: "PG-1" });
    expect(use(world, "evidence_cite", { by: appeal, evidence: "PG-1" })).toEqual({ ...first, already_cited: true });
    expect(refusal(world, "evidence_cite", { by: appeal, evidence: "PG-99" })).toBe("not_found");
    expect(refusal(world, "evidence_cite", { by: "APL-99", evidence: "PG-1" })).toBe("not_found");
    const { escalation } = use(world, "escalate", { item: "ITM-1", to: "billing_lead", summary: "See the page." });
    expect(use(world, "evidence_cite", { by: escalation, evidence: "LTR-1" }).already_cited).toBe(false);
    const { entry } = use(world, "adjust_post", { line: "LIN-1", type: "write_off", amount: "1.00" });
    expect(use(world, "evidence_cite", { by: entry, evidence: "SEC-1" }).already_cited).toBe(false);
    expect(use(world, "appeal_submit", { appeal, letter: "Claim CLM-1 was denied in error." })).toMatchObject({
      sent_on: TODAY,
      cited: 1,
    });
    expect(refusal(world, "evidence_cite", { by: appeal, evidence: "PG-2" })).toBe("already_sent");
    expect(refusal(world, "appeal_submit", { appeal, letter: "Again." })).toBe("already_sent");
  });

  test("an appeal needs a letter, and an authorization request has one draft at a time", () => {
    const world = openSmallOffice();
    const { appeal } = use(world, "appeal_open", { claim: "CLM-1", channel: "appeal" });
    expect(refusal(world, "appeal_submit", { appeal, letter: "  " })).toBe("letter_missing");
    const { retro_request } = use(world, "retro_auth_open", { claim: "CLM-1" });
    expect(refusal(world, "retro_auth_open", { claim: "CLM-1" })).toBe("draft_open");
    use(world, "retro_auth_submit", { retro_request });
    expect(refusal(world, "retro_auth_submit", { retro_request })).toBe("already_sent");
  });

  test("a page is sent once for a request", () => {
    const world = openSmallOffice();
    expect(use(world, "records_send", { request: "REQ-1", page: "PG-1" })).toMatchObject({
      payer: "northfield",
      on: TODAY,
    });
    expect(refusal(world, "records_send", { request: "REQ-1", page: "PG-1" })).toBe("already_sent");
    expect(world.all("disclosures")).toHaveLength(1);
  });

  test("a question is answered in a day or two, and the answer shows on the claim", () => {
    const world = openSmallOffice();
    const { query } = use(world, "query_create", { claim: "CLM-1", to: "coder", question: "Which knee?" });
    expect(use(world, "claim_get", { claim: "CLM-1" }).queries).toMatchObject([{ query, answer: null }]);
    pass(world, 3);
    expect(use(world, "claim_get", { claim: "CLM-1" }).queries).toMatchObject([
      { query, answer: "The right knee was treated." },
    ]);
  });
});

describe("determinism", () => {
  test("the same calls on the same office leave the same state", () => {
    const play = () => {
      const world = openSmallOffice();
      const { correction } = use(world, "correction_open", { claim: "CLM-1", channel: "replacement_claim" });
      use(world, "correction_set_authorization", { correction, authorization: "A55501234" });
      use(world, "correction_submit", { correction });
      pass(world, 60);
      return world.hash();
    };
    expect(play()).toBe(play());
  });

  test("every remittance and claim file in an office that has run on is whole and balanced", () => {
    const world = openSmallOffice();
    const { correction } = use(world, "correction_open", { claim: "CLM-1", channel: "replacement_claim" });
    use(world, "correction_set_authorization", { correction, authorization: "A55501234" });
    use(world, "correction_submit", { correction });
    pass(world, 60);
    for (const { file } of world.all("claims")) expect(parseClaims(file).problems).toEqual([]);
    for (const { file } of world.all("remits")) {
      const parsed = parseRemittances(file);
      expect(parsed.problems).toEqual([]);
      expect(parsed.ok && parsed.value.remittances.flatMap(balanceRemittance)).toEqual([]);
    }
    expect(world.validate()).toEqual([]);
  });
});
