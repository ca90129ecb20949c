import { describe, expect, test } from "vitest";
import { toToolSpec } from "windtunnel";
import { ICD10 } from "../../reference/icd10.js";
import { systems, TOOL_COUNT } from "./index.js";
import { openSmallOffice, pass, refusal, SERVICE_DATE, TODAY, use } from "./small-office.js";

describe("the contract", () => {
  test("there are between 30 and 45 tools, each with its own name and a description", () => {
    const tools = systems.flatMap((system) => system.tools);
    expect(TOOL_COUNT).toBe(tools.length);
    expect(TOOL_COUNT).toBeGreaterThanOrEqual(30);
    expect(TOOL_COUNT).toBeLessThanOrEqual(45);
    expect(new Set(tools.map(({ name }) => name)).size).toBe(TOOL_COUNT);
    for (const { description } of tools) expect(description.length).toBeGreaterThan(40);
  });

  test("every argument says what it means, so that it can be filled from results", () => {
    for (const tool of systems.flatMap((system) => system.tools)) {
      const spec = toToolSpec(tool as never);
      for (const [name, schema] of Object.entries(
        (spec.inputSchema.properties ?? {}) as Record<string, Record<string, unknown>>,
      )) {
        expect(schema["x-kind"] !== undefined || schema.enum !== undefined, `${tool.name}.${name}`).toBe(true);
      }
    }
  });

  test("every kind of argument but prose and the choices of an enum is returned by some tool", () => {
    const specs = systems.flatMap((system) => system.tools.map((tool) => toToolSpec(tool as never)));
    const returned = JSON.stringify(specs.map(({ outputSchema }) => outputSchema));
    for (const { name, inputSchema } of specs) {
      for (const schema of Object.values((inputSchema.properties ?? {}) as Record<string, Record<string, unknown>>)) {
        const kinds = ((schema["x-kind"] as string | undefined) ?? "")
          .split("|")
          .filter((kind) => kind !== "" && kind !== "prose");
        for (const kind of kinds)
          expect(
            returned.includes(`"${kind}"`) || returned.includes(`|${kind}`) || returned.includes(`"${kind}|`),
            `${name}: ${kind}`,
          ).toBe(true);
      }
    }
  });

  test("an id that names nothing is answered with not_found by every tool that takes one", () => {
    const world = openSmallOffice();
    const samples: Record<string, string> = { prose: "text", service_date: TODAY, "money:USD": "1.00" };
    for (const tool of systems.flatMap((system) => system.tools)) {
      const properties = (toToolSpec(tool as never).inputSchema.properties ?? {}) as Record<
        string,
        { "x-kind"?: string; enum?: string[] }
      >;
      if (!Object.values(properties).some((schema) => schema["x-kind"]?.startsWith("ref:"))) continue;
      const args = Object.fromEntries(
        Object.entries(properties)
          .filter(([name]) => name !== "cursor")
          .map(([name, schema]) => [name, schema.enum?.[0] ?? samples[schema["x-kind"] ?? ""] ?? "NONE-1"]),
      );
      expect(refusal(world, tool.name, args), tool.name).toBe("not_found");
    }
  });
});

describe("the work queue", () => {
  test("an item shows its options in words and the date", () => {
    const item = use(openSmallOffice(), "item_get", { item: "ITM-1" });
    expect(item).toMatchObject({ today: TODAY, item: "ITM-1", claim: "CLM-1", cause: null });
    expect(item.disposition_options).toContainEqual({
      code: "corrected_claim",
      label: "Replacement claim sent (frequency 7)",
    });
  });

  test("cause, prevention and disposition must be options of the item", () => {
    const world = openSmallOffice();
    expect(refusal(world, "item_set_cause", { item: "ITM-1", cause: "weather" })).toBe("not_an_option");
    expect(refusal(world, "item_set_prevention", { item: "ITM-1", prevention: "weather" })).toBe("not_an_option");
    use(world, "item_set_cause", { item: "ITM-1", cause: "authorization_on_file_not_sent" });
    expect(refusal(world, "item_close", { item: "ITM-1", disposition: "refund" })).toBe("not_an_option");
  });

  test("an item without a cause is not closed, and a closed one takes no more decisions", () => {
    const world = openSmallOffice();
    expect(refusal(world, "item_close", { item: "ITM-1", disposition: "appeal" })).toBe("cause_missing");
    use(world, "item_set_cause", { item: "ITM-1", cause: "authorization_on_file_not_sent" });
    use(world, "item_set_prevention", { item: "ITM-1", prevention: "none" });
    expect(use(world, "item_close", { item: "ITM-1", disposition: "appeal" })).toEqual({
      item: "ITM-1",
      disposition: "appeal",
      closed_on: TODAY,
    });
    for (const [tool, args] of [
      ["item_close", { disposition: "appeal" }],
      ["item_set_cause", { cause: "authorization_on_file_not_sent" }],
      ["item_set_prevention", { prevention: "none" }],
      ["escalate", { to: "billing_lead", summary: "late" }],
    ] as const) {
      expect(refusal(world, tool, { item: "ITM-1", ...args }), tool).toBe("item_closed");
    }
  });

  test("a note can be about a record that exists and about no other", () => {
    const world = openSmallOffice();
    const { note } = use(world, "note_add", { item: "ITM-1", about: "CLM-1", text: "Seen." });
    expect(world.need("notes", note)).toMatchObject({ about: "CLM-1", text: "Seen.", on: TODAY });
    expect(world.need("notes", use(world, "note_add", { item: "ITM-1", text: "Seen." }).note).about).toBeNull();
    expect(refusal(world, "note_add", { item: "ITM-1", about: "APL-1", text: "Appealed." })).toBe("not_found");
  });

  test("a follow-up falls due after the days chosen", () => {
    expect(use(openSmallOffice(), "follow_up_create", { item: "ITM-1", in: "30_days" }).due_on).toBe("2026-04-01");
  });

  test("waiting for an event brings it and says what came; with nothing pending it is refused", () => {
    const world = openSmallOffice();
    expect(refusal(world, "wait", { until: "next_event" })).toBe("nothing_pending");
    const { escalation } = use(world, "escalate", { item: "ITM-1", to: "billing_lead", summary: "Please decide." });
    expect(use(world, "wait", { until: "next_event" })).toEqual({
      now: "2026-03-03",
      happened: [{ what: "billing_lead answered: Approved, go ahead.", escalation }],
    });
    expect(use(world, "wait", { until: "tomorrow" })).toEqual({ now: "2026-03-04", happened: [] });
    expect(use(world, "wait", { until: "next_week" }).now).toBe("2026-03-11");
  });

  test("an owner's answer and approval show on the item; whoever does not own the matter approves nothing", () => {
    const world = openSmallOffice();
    use(world, "escalate", { item: "ITM-1", to: "billing_lead", summary: "Please decide." });
    use(world, "escalate", { item: "ITM-1", to: "coder", summary: "Please decide." });
    pass(world, 2);
    expect(use(world, "item_get", { item: "ITM-1" }).escalations).toMatchObject([
      { to: "billing_lead", status: "answered", approves: "1200.00" },
      { to: "coder", status: "answered", approves: null },
    ]);
  });
});

describe("reading", () => {
  test("a claim shows its lines, its balance, its file and what is about it", () => {
    const claim = use(openSmallOffice(), "claim_get", { claim: "CLM-1" });
    expect(claim).toMatchObject({
      patient: "PT-1",
      payer: "northfield",
      open_balance: "1200.00",
      remits: ["ERA-1"],
      acknowledgments: ["ACK-1"],
      letters: ["LTR-1"],
      record_requests: [{ request: "REQ-1" }],
    });
    expect(claim.lines.map(({ line }: { line: string }) => line)).toEqual(["LIN-1", "LIN-2"]);
    expect(claim.file).toContain("CLM*WT1000001");
  });

  test("a remittance says its codes in words beside the file", () => {
    const remit = use(openSmallOffice(), "remit_get", { remit: "ERA-1" });
    expect(remit.lines[0].adjustments[0]).toMatchObject({ group: "CO", carc: "197", amount: "200.00" });
    expect(remit.lines[0].adjustments[0].meaning).not.toMatch(/not in/);
    expect(remit.remarks[0].code).toBe("MA01");
    expect(remit.file).toContain("CLP*WT1000001");
  });

  test("history, acknowledgments, accounts, patients, letters, authorizations and sections open", () => {
    const world = openSmallOffice();
    expect(use(world, "claim_history", { patient: "PT-1" }).claims).toMatchObject([
      { claim: "CLM-1", hcpcs: ["E0601", "J1745"], corrects: null },
    ]);
    expect(use(world, "ack_get", { acknowledgment: "ACK-1" })).toMatchObject({ category: "A2", claim: "CLM-1" });
    expect(use(world, "account_get", { claim: "CLM-1" })).toMatchObject({
      open_balance: "1200.00",
      lines: [{ line: "LIN-1", open_balance: "200.00" }, { line: "LIN-2" }],
    });
    expect(use(world, "patient_get", { patient: "PT-1" })).toMatchObject({
      birth_date: "1961-04-09",
      coverages: [{ coverage: "COV-1" }, { coverage: "COV-2" }, { coverage: "COV-4" }],
      claims: ["CLM-1"],
      authorizations: ["AUT-1"],
    });
    expect(use(world, "correspondence_list", { patient: "PT-1" }).letters).toMatchObject([{ letter: "LTR-1" }]);
    expect(use(world, "correspondence_read", { letter: "LTR-1" })).toMatchObject({
      text: "Send the sleep study.",
      record_requests: [{ request: "REQ-1", asks_for: "the sleep study" }],
    });
    expect(use(world, "auth_search", { patient: "PT-1" }).authorizations).toMatchObject([
      { authorization: "AUT-1", number: "A55501234" },
    ]);
    expect(use(world, "library_search", { payer: "northfield", source: "manual" }).sections).toEqual([
      { section: "SEC-1", source: "manual", number: "4.2", title: "Corrected claims" },
    ]);
    expect(use(world, "library_read", { section: "SEC-1" }).text).toContain("frequency 7");
  });

  test("the chart lists ten documents a page, newest first, and opens pages with their ids", () => {
    const world = openSmallOffice();
    const first = use(world, "chart_list", { patient: "PT-1" });
    expect(first).toMatchObject({ total: 12, next_cursor: "10" });
    expect(first.documents[0]).toMatchObject({ document: "DOC-1", pages: 2 });
    expect(use(world, "chart_list", { patient: "PT-1", cursor: first.next_cursor })).toMatchObject({
      next_cursor: null,
    });
    expect(refusal(world, "chart_list", { patient: "PT-1", cursor: "x" })).toBe("invalid_cursor");
    expect(use(world, "chart_read", { document: "DOC-1" }).pages).toEqual([
      { page: "PG-1", number: 1, text: "AHI 32." },
      { page: "PG-2", number: 2, text: "Order for E0601." },
    ]);
  });

  test("a contract rate is found for a code on the schedule, and refused without a contract, a code or a schedule", () => {
    const world = openSmallOffice();
    const args = { payer: "northfield", hcpcs: "E0601", service_date: SERVICE_DATE };
    expect(use(world, "contract_rate", args)).toMatchObject({
      hcpcs: "E0601",
      per: "month",
      patient_share_percent: 20,
    });
    expect(refusal(world, "contract_rate", { ...args, hcpcs: "E9999" })).toBe("not_found");
    expect(refusal(world, "contract_rate", { ...args, service_date: "2019-01-01" })).toBe("no_schedule_on_date");
    world.insert("payers", { id: "elsewhere", name: "Elsewhere", kind: "commercial", payerNumber: "ELSE1" });
    expect(refusal(world, "contract_rate", { ...args, payer: "elsewhere" })).toBe("no_contract");
  });

  test("the edits name missing modifiers and the successors of a retired diagnosis", () => {
    const world = openSmallOffice();
    const retired = ICD10.rows.find(({ validThrough }) => validThrough !== null && validThrough < SERVICE_DATE)!;
    world.update("claim_lines", "LIN-1", { modifiers: ["KX"] });
    world.update("claims", "CLM-1", { diagnoses: [retired.code] });
    const { findings } = use(world, "edits_check", { claim: "CLM-1" });
    expect(findings).toContainEqual(
      expect.objectContaining({ kind: "missing", line: "LIN-1", accepted_modifiers: ["RR", "NU", "UE"] }),
    );
    expect(findings).toContainEqual(
      expect.objectContaining({ kind: "diagnosis", successors: [...retired.successors] }),
    );
  });

  test("a claim without fault has no findings", () => {
    expect(use(openSmallOffice(), "edits_check", { claim: "CLM-1" }).findings).toEqual([]);
  });

  test("the edits find a bundled pair with what would part it, and units above a cap", () => {
    const world = openSmallOffice();
    world.update("claim_lines", "LIN-1", { hcpcs: "L4360", modifiers: ["LT"] });
    world.update("claim_lines", "LIN-2", { hcpcs: "L1902", modifiers: ["LT"], units: "9" });
    const { findings } = use(world, "edits_check", { claim: "CLM-1" });
    expect(findings).toContainEqual(
      expect.objectContaining({
        kind: "pair",
        line: "LIN-2",
        with_line: "LIN-1",
        indicator: 1,
        accepted_modifiers: ["LT", "RT", "XS"],
      }),
    );
    expect(findings).toContainEqual(expect.objectContaining({ kind: "units", line: "LIN-2" }));
  });
});

describe("eligibility", () => {
  const check = (world = openSmallOffice(), coverage = "COV-1", service_date = SERVICE_DATE) =>
    use(world, "eligibility_check", { coverage, service_date });

  test("an active member is confirmed, and the answer is stored", () => {
    const world = openSmallOffice();
    const { answer, active, member_id } = check(world);
    expect({ active, member_id }).toEqual({ active: true, member_id: "NF123456789" });
    expect(use(world, "patient_get", { patient: "PT-1" }).eligibility_answers).toMatchObject([
      { answer, active: true },
    ]);
  });

  test("coverage that had not begun is not active, and the payer's remark is passed on", () => {
    expect(check(openSmallOffice(), "COV-2")).toMatchObject({
      active: false,
      text: expect.stringContaining("Secondary to Northfield."),
    });
  });

  test("a wrong member id is answered with the right one when name and birth date fit, and with nothing when they do not", () => {
    const world = openSmallOffice();
    world.update("coverages", "COV-1", { memberId: "NF123456798" });
    expect(check(world)).toMatchObject({ active: true, member_id: "NF123456789" });
    for (const id of ["MEM-1", "MEM-3"]) world.update("members", id, { birthDate: "1970-01-01" });
    expect(check(world)).toMatchObject({ active: false, member_id: null, text: expect.stringContaining("not found") });
  });

  test("a member id of another person is not confirmed", () => {
    const world = openSmallOffice();
    world.update("coverages", "COV-3", { memberId: "NF123456789" });
    expect(check(world, "COV-3")).toMatchObject({ active: false, member_id: null });
  });
});
