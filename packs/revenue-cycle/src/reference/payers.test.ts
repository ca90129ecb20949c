import { describe, expect, it } from "vitest";
import {
  CARC,
  CLAIM_FREQUENCY,
  CORRECTION_KINDS,
  DENIAL_CLASSES,
  type DenialFacts,
  DISPOSITION_IDS,
  definePayerProfile,
  dispositionFor,
  GROUP_CODES,
  isGroupAllowed,
  LATENCIES,
  type LiabilitySituation,
  MANUAL_TOPICS,
  manualSectionsOn,
  NOTICES,
  PAYERS,
  type PayerProfile,
  patientLiability,
  ROOT_CAUSES,
  type RootCauseId,
  toMemberId,
} from "./index.js";

const medicare = PAYERS.get("medicare-region-c");
const northfield = PAYERS.get("northfield");
const crestway = PAYERS.get("crestway");
const denied: LiabilitySituation = { group: "CO", carc: "50", notice: "none", qmb: false, coverageActive: true };

function* situations(): Generator<LiabilitySituation> {
  for (const group of GROUP_CODES)
    for (const carc of CARC.keys)
      for (const notice of NOTICES)
        for (const qmb of [false, true])
          for (const coverageActive of [false, true])
            if (isGroupAllowed(carc, group)) yield { group, carc, notice, qmb, coverageActive };
}

describe("every payer", () => {
  it("has a rule for every kind of correction, every class of denial, every latency and every manual topic", () => {
    for (const profile of PAYERS.rows) {
      expect(Object.keys(profile.correctionChannel).sort()).toEqual([...CORRECTION_KINDS].sort());
      expect(Object.keys(profile.disputeChannel).sort()).toEqual([...DENIAL_CLASSES].sort());
      expect(Object.keys(profile.clocks.latencyDays).sort()).toEqual([...LATENCIES].sort());
      for (const topic of MANUAL_TOPICS)
        expect(manualSectionsOn(profile, topic).length, `${profile.id} ${topic}`).toBeGreaterThan(0);
    }
  });

  it("answers every liability situation, and never sends CO of an active member, PI or a protected member's PR to the patient", () => {
    for (const profile of PAYERS.rows)
      for (const situation of situations()) {
        const { mayBill } = patientLiability(profile, situation);
        const where = `${profile.id} ${JSON.stringify(situation)}`;
        if (situation.group === "PI" || situation.group === "OA") expect(mayBill, where).toBe(false);
        if (situation.group === "CO" && situation.coverageActive) expect(mayBill, where).toBe(false);
        if (situation.group === "PR" && situation.qmb && profile.kind !== "commercial")
          expect(mayBill, where).toBe(false);
      }
  });

  it("takes the chart's end of every root cause to a known disposition", () => {
    for (const profile of PAYERS.rows)
      for (const cause of ROOT_CAUSES.rows)
        expect(DISPOSITION_IDS).toContain(dispositionFor(cause.id, profile, denied));
  });

  it("makes member ids of its own pattern", () => {
    let turn = 0;
    const draw = (bound: number) => (turn++ * 7) % bound;
    for (const { memberId } of PAYERS.rows)
      for (let at = 0; at < 25; at += 1) expect(toMemberId(memberId, draw)).toMatch(new RegExp(memberId.pattern));
  });

  it("has latencies in whole days, the shortest first", () => {
    for (const profile of PAYERS.rows)
      for (const { minDays, maxDays } of Object.values(profile.clocks.latencyDays)) {
        expect(Number.isInteger(minDays) && Number.isInteger(maxDays)).toBe(true);
        expect(minDays).toBeLessThanOrEqual(maxDays);
      }
  });

  it("accepts only the acceptance category of its acknowledgment as proof, never a receipt", () => {
    for (const { rules } of PAYERS.rows) {
      expect(rules.timelyProof).toContain("277CA_A2");
      for (const receipt of ["999", "277CA_A1", "screen_print"]) expect(rules.timelyProof).not.toContain(receipt);
    }
  });

  it("keeps the clocks of the maps and of the clock table the same", () => {
    for (const { id, clocks, disputeChannel } of PAYERS.rows) {
      expect(disputeChannel.medical_necessity.clock, id).toEqual(clocks.appeal);
      expect(disputeChannel.records_requested.clock, id).toEqual({
        windowDays: clocks.recordsDueDays,
        countedFrom: "request_date",
      });
      const retro =
        disputeChannel.no_auth.channel === "retro_authorization" ? disputeChannel.no_auth.clock?.windowDays : null;
      expect(retro ?? null, id).toBe(clocks.retroAuthDays);
    }
  });
});

describe("payers differ", () => {
  it("route each common denial in more than one way", () => {
    for (const kind of ["unbundling_modifier", "units", "auth_number", "liability_modifier"] as const)
      expect(new Set(PAYERS.rows.map((row) => row.correctionChannel[kind].channel)).size, kind).toBeGreaterThan(1);
    for (const row of ["medical_necessity", "timely_filing", "no_auth", "eligibility_verified", "bundling"] as const)
      expect(new Set(PAYERS.rows.map((one) => one.disputeChannel[row].channel)).size, row).toBeGreaterThan(1);
  });

  it("end the same missed emergency authorization by request or by appeal", () => {
    expect(dispositionFor("emergency_service_unauthorized", northfield, denied)).toBe("retro_authorization");
    expect(dispositionFor("emergency_service_unauthorized", crestway, denied)).toBe("appeal");
  });

  it("turn a refused correction into a dispute", () => {
    expect(dispositionFor("distinct_site_modifier_missing", northfield, denied)).toBe("corrected_claim");
    expect(dispositionFor("distinct_site_modifier_missing", crestway, denied)).toBe("appeal");
  });

  it("turn an unheard dispute into a loss", () => {
    expect(dispositionFor("retro_termination_after_verification", northfield, denied)).toBe("payer_dispute");
    expect(dispositionFor("retro_termination_after_verification", crestway, { ...denied, carc: "27" })).toBe(
      "provider_writeoff",
    );
  });
});

describe("case archetypes", () => {
  const end = (cause: RootCauseId, payer: PayerProfile, facts: Partial<DenialFacts> = {}) =>
    dispositionFor(cause, payer, { ...denied, ...facts });

  it("end as the profile of their payer says", () => {
    expect(end("rendering_npi_dropped", northfield, { carc: "16" })).toBe("corrected_claim");
    expect(end("rendering_npi_dropped", medicare, { carc: "16", remarks: ["MA130", "N290"] })).toBe("new_claim");
    expect(end("member_id_keyed_wrong", northfield, { rejected: true })).toBe("new_claim");
    expect(end("authorization_superseded_by_service_change", northfield, { carc: "197" })).toBe("corrected_claim");
    expect(end("elective_service_never_authorized", northfield, { carc: "197" })).toBe("provider_writeoff");
    expect(end("criterion_met_evidence_not_reviewed", medicare)).toBe("appeal");
    expect(end("criterion_not_met", medicare)).toBe("provider_writeoff");
    expect(end("criterion_not_met_valid_notice", medicare, { group: "PR", notice: "abn_signed" })).toBe(
      "patient_responsibility",
    );
    expect(end("same_session_bundled", northfield, { carc: "97" })).toBe("contractual_writeoff");
    expect(end("filed_on_time_proof_held", northfield, { carc: "29" })).toBe("appeal");
    expect(end("filed_on_time_proof_held", medicare, { carc: "29" })).toBe("exception_request");
    expect(end("medicare_primary_small_employer", medicare, { carc: "22" })).toBe("reopening");
    expect(end("contract_covers_denied_exclusion", northfield, { carc: "204", group: "PR" })).toBe("payer_dispute");
    expect(end("records_not_yet_sent", northfield, { carc: "252" })).toBe("records_sent");
    expect(end("paid_below_contract", northfield, { carc: "45" })).toBe("underpayment_dispute");
    expect(end("units_keyed_wrong", medicare, { carc: "151" })).toBe("reopening");
    expect(end("coverage_ended_no_other_plan", northfield, { carc: "27", coverageActive: false })).toBe(
      "patient_responsibility",
    );
  });
});

describe("Original Medicare", () => {
  it("takes no replacement claim for anything", () => {
    for (const { channel } of Object.values(medicare.correctionChannel)) expect(CLAIM_FREQUENCY[channel]).not.toBe("7");
  });

  it("wants a new claim and hears no dispute when the claim was unprocessable", () => {
    expect(medicare.correctionChannel.unprocessable.channel).toBe("new_claim");
    expect(medicare.disputeChannel.unprocessable.channel).toBe("none");
  });

  it("hears no appeal of a late claim, only an exception request", () => {
    expect(medicare.disputeChannel.timely_filing.channel).toBe("exception_request");
  });

  it("is the only payer to recognise the advance beneficiary notice", () => {
    const recognising = PAYERS.rows.filter((row) => row.rules.validNotices.includes("abn_signed")).map((row) => row.id);
    expect(recognising).toEqual(["medicare-region-c"]);
    for (const profile of PAYERS.rows) {
      const billed = (notice: LiabilitySituation["notice"]) =>
        patientLiability(profile, { ...denied, group: "PR", notice }).mayBill;
      if (profile.id === "medicare-region-c") expect([billed("abn_signed"), billed("none")]).toEqual([true, false]);
      else expect(billed("abn_signed")).toBe(billed("none"));
    }
  });

  it("leaves units above a limit with the supplier, whatever was signed", () => {
    expect(medicare.disputeChannel.units_absolute.channel).toBe("none");
    expect(patientLiability(medicare, { ...denied, carc: "151", notice: "abn_signed" }).mayBill).toBe(false);
  });
});

describe("a profile that does not hang together", () => {
  it("is refused when a rule cites a section that the manual lacks", () => {
    const correctionChannel = {
      ...northfield.correctionChannel,
      units: { ...northfield.correctionChannel.units, section: "99" },
    };
    expect(() => definePayerProfile({ ...northfield, correctionChannel })).toThrow(
      /correctionChannel.units: cites section 99/,
    );
  });

  it("is refused when a section does not print the days of the rule that cites it", () => {
    const units = {
      ...northfield.correctionChannel.units,
      clock: { windowDays: 181, countedFrom: "remit_date" as const },
    };
    const correctionChannel = { ...northfield.correctionChannel, units };
    expect(() => definePayerProfile({ ...northfield, correctionChannel })).toThrow(/does not state the 181 days/);
  });

  it("is refused when the liability table leaves a situation open", () => {
    expect(() =>
      definePayerProfile({ ...northfield, patientLiability: northfield.patientLiability.slice(0, -1) }),
    ).toThrow(/last row must match everything/);
  });
});
