import { expect, it } from "vitest";
import { sampleFiles } from "../../../fixtures/denials-sample/sample-files.js";
import { dropSource, parseAcknowledgments, parseClaims, parseRemittances } from "../../codec/index.js";
import type { DenialFacts } from "../facts.js";
import { environment, openImportedTasks } from "../index.js";
import type { ImportFiles } from "./import-files.js";
import { importTasks } from "./import-tasks.js";
import { edited, readSample } from "./sample.fixture.js";

const sample = readSample();

function imported(files: ImportFiles = sample) {
  const result = importTasks(files);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  const tasks = openImportedTasks(JSON.parse(JSON.stringify(result.data)));
  const scenarios = [...tasks.ids()].map((id) => tasks.open(id));
  const numberOf = ({ facts, world }: (typeof scenarios)[number]) => world.need("claims", facts.claim).controlNumber;
  return {
    ...result,
    scenarios,
    numbers: scenarios.map(numberOf),
    find: (number: string) => scenarios.find((one) => numberOf(one) === number)!,
    said: (code: string) => result.warnings.filter((warning) => warning.code === code),
  };
}

it("makes one task of every refused or rejected claim with money open, and says of every other why not", () => {
  const { tasks, numbers, said } = imported();
  expect(tasks).toBe(6);
  expect(numbers).toEqual(["PH1001", "PH1002", "PH1004", "PH1006", "PH1007", "PH1009"]);
  expect(said("no_task").map(({ at, message }) => `${at}: ${message}`)).toEqual([
    "CLM01 PH1003: gives no task: nothing was refused",
    "CLM01 PH1005: gives no task: sent again on 2026-02-04; nothing was refused",
    "CLM01 PH1008: gives no task: the payer's answer is not in the files",
  ]);
});

it("every task's world holds to the tables' schemas and starts the day after the newest date of the files", () => {
  const { scenarios } = imported();
  for (const { world, task, facts } of scenarios) {
    expect(world.validate()).toEqual([]);
    expect(new Date(world.now).toISOString()).toBe("2026-02-25T08:00:00.000Z");
    expect(task).toMatchObject({ split: "train", environment: environment.name, family: "imported" });
    expect(task.prompt).toContain(facts.item);
    expect((facts as DenialFacts).labelled).toBe(false);
  }
  expect(new Set(scenarios.map(({ task }) => task.sourceGroup)).size).toBe(scenarios.length);
});

it("posts what the files say: payments, allowances and cost share leave the refused line open", () => {
  const { world, facts } = imported().find("PH1002");
  expect(world.need("items", facts.item)).toMatchObject({
    amount: "118.00",
    headline: "CO-50 on E0431",
    queue: "denials",
  });
  expect(world.all("ledger").map(({ entry, amount }) => [entry, amount])).toEqual([
    ["charge", "305.00"],
    ["charge", "118.00"],
    ["payer_payment", "-136.64"],
    ["contractual", "-134.20"],
    ["patient_billed", "-34.16"],
  ]);
  expect(world.need("claims", facts.claim)).toMatchObject({
    status: "partly_paid",
    diagnoses: ["J44.9", "J96.11"],
    payerClaimNumber: "26026100200",
  });
});

it("keeps each claim's own text, which reads back as the claim that was in the file, and nobody else's", () => {
  const whole = parseClaims(sample.claims[0]!.text);
  if (!whole.ok) throw new Error("the sample does not parse");
  for (const { world, facts } of imported().scenarios) {
    const { file, controlNumber } = world.need("claims", facts.claim);
    const own = parseClaims(file);
    if (!own.ok) throw new Error(JSON.stringify(own.problems));
    const original = whole.value.claims.find(({ patientControlNumber }) => patientControlNumber === controlNumber);
    expect(dropSource(own.value.claims)).toEqual([dropSource(original)]);
    for (const remit of world.all("remits")) {
      const read = parseRemittances(remit.file);
      if (!read.ok) throw new Error(JSON.stringify(read.problems));
      expect(read.value.remittances.flatMap(({ claims }) => claims.map((claim) => claim.patientControlNumber))).toEqual(
        [controlNumber],
      );
    }
    for (const ack of world.all("acknowledgments")) {
      const read = parseAcknowledgments(ack.file);
      if (!read.ok) throw new Error(JSON.stringify(read.problems));
      expect(read.value.acknowledgments.map((one) => one.patientControlNumber)).toEqual([controlNumber]);
    }
  }
});

it("reads charts by control number and by member id, with pages, kinds, dates and what the manifest says", () => {
  const { find } = imported();
  const documents = (number: string) => {
    const { world } = find(number);
    return world.all("documents").map(({ id, kind, date, signed, author }) => ({
      kind,
      date,
      signed,
      author,
      pages: world.where("pages", { document: id }).length,
    }));
  };
  expect(documents("PH1002")).toEqual([
    { kind: "note", date: "2026-01-05", signed: true, author: "Adaeze Okafor", pages: 2 },
  ]);
  expect(documents("PH1001").map(({ kind, signed }) => [kind, signed])).toEqual([
    ["order", true],
    ["fax", false],
  ]);
  expect(documents("PH1009")).toMatchObject([{ kind: "email", date: "2026-02-20" }]);
});

it("gives a payer of the reference data its library, and one that it does not know a row without", () => {
  const { find } = imported();
  const sections = (number: string) => {
    const { world, facts } = find(number);
    const { payer } = world.need("claims", facts.claim);
    return [world.need("payers", payer).name, world.where("sections", { payer }).length > 0];
  };
  expect(sections("PH1001")).toEqual(["Crestway Mutual", true]);
  expect(sections("PH1006")).toEqual(["BRIDGEWATER BENEFIT TRUST", false]);
});

it("tells the agent which facts the tables need and no file states", () => {
  const [letter] = imported().find("PH1009").world.all("letters");
  expect(letter?.text).toBe(
    "The imported files do not state: the birth date of subscriber PERCY HOLLOWAY (1900-01-01 stands for it).",
  );
});

it("an answer about a claim that is in no file is a warning, and the rest is imported", () => {
  const [ack] = sample.acks;
  const result = imported({ ...sample, acks: [edited(ack!, "TRN*2*PH1008~", "TRN*2*PH7777~")] });
  expect(result.said("remit_unmatched")).toMatchObject([{ file: "remits.835", at: "CLP01 PH0977" }]);
  expect(result.said("ack_unmatched")).toMatchObject([{ file: "acks.277", at: "TRN02 PH7777" }]);
  expect(result.tasks).toBe(6);
});

it("a replacement stands with its original, and the account is judged by what was sent last", () => {
  const [remits] = sample.remits;
  const refused = edited(
    edited(
      edited(remits!, "CLP*PH1005*1*170*77.52*19.38*", "CLP*PH1005*1*170*0**"),
      "SVC*HC:K0003:RR*170*77.52**1~",
      "SVC*HC:K0003:RR*170*0**1~",
    ),
    "CAS*CO*45*73.1~\nCAS*PR*2*19.38~",
    "CAS*CO*50*170~",
  );
  const silent = refused.text.replace(/BPR\*I\*77\.52\*.*?\*20260224~/, "BPR*H*0*C*NON************20260224~");
  const counted = silent.replace(
    /(\*PCN90050002[\s\S]*?SE\*)(\d+)/,
    (_, before: string, count: string) => before + String(Number(count) - 1),
  );
  const { find } = imported({ ...sample, remits: [{ name: "remits.835", text: counted }] });
  const { world, facts } = find("PH1005");
  const claim = world.need("claims", facts.claim);
  expect(claim).toMatchObject({
    frequency: "7",
    channel: "replacement_claim",
    status: "denied",
    originalReference: "PCN90050001",
    payerClaimNumber: "PCN90050002",
  });
  expect(world.need("claims", claim.corrects!)).toMatchObject({
    frequency: "1",
    status: "denied",
    payerClaimNumber: "PCN90050001",
    corrects: null,
  });
  expect(world.need("items", facts.item)).toMatchObject({ headline: "CO-50 on K0003", amount: "170.00" });
  expect(world.where("ledger", { entry: "charge" }).map(({ amount }) => amount)).toEqual(["170.00"]);
});

it("a claim sent again after a rejection stands with the first, and is judged by its own answer", () => {
  const { claims, acks } = sampleFiles();
  const again = claims
    .replace("*000000301*", "*000000302*")
    .replaceAll("PINE0122", "PINE0130")
    .replaceAll("20260122", "20260130")
    .replace(/IEA\*1\*000000301/, "IEA*1*000000302");
  const only = (text: string) => ({ name: "again.837", text });
  const accepted = acks
    .replaceAll("ACK0122", "ACK0130")
    .replaceAll("PINE0122", "PINE0130")
    .replaceAll("20260123", "20260131")
    .replace("STC*A7:164:IL*20260131*U*144", "STC*A2:20*20260131*WQ*144");
  const { scenarios, numbers, said } = imported({
    ...sample,
    claims: [...sample.claims, only(again)],
    acks: [...sample.acks, { name: "later.277", text: accepted }],
  });
  expect(numbers).not.toContain("PH1004");
  expect(said("no_task").map(({ at, message }) => [at, message])).toContainEqual([
    "CLM01 PH1004",
    "gives no task: sent again on 2026-01-30; the payer's answer is not in the files",
  ]);
  expect(scenarios.every(({ world }) => world.validate().length === 0)).toBe(true);
});

it("files given twice change nothing but the warnings, and neither does the order of the files", () => {
  const once = imported();
  const twice = imported({
    ...sample,
    claims: [...sample.claims, { ...sample.claims[0]!, name: "copy.837" }],
    remits: [...sample.remits, { ...sample.remits[0]!, name: "copy.835" }],
  });
  expect(twice.numbers).toEqual(once.numbers);
  expect(twice.said("same_claim")).toHaveLength(10);
  expect(twice.said("same_answer")).toHaveLength(9);
  const turned = imported({ ...sample, charts: [...sample.charts].reverse() });
  expect(turned.data).toEqual(once.data);
});

it("a claim of a later payer in line stands with the first payer's, and leaves the cost share to it", () => {
  const { claims } = sampleFiles();
  const second = claims
    .replaceAll("PINE0122", "PINE0210")
    .replaceAll("20260122", "20260210")
    .replace(
      /(HL\*3\*1\*22\*0~\nSBR\*)P(.*?\nNM1\*IL\*1\*ISAACSON\*GERALD\*\*\*\*MI\*)1S42KA7HC31([\s\S]*?NM1\*PR\*2\*)ORIGINAL MEDICARE REGION C\*\*\*\*\*PI\*MCRGC/,
      "$1S$2SUPP00017$3BRIDGEWATER BENEFIT TRUST*****PI*BWBT4",
    );
  expect(second).toContain("SUPP00017");
  const result = imported({ ...sample, claims: [...sample.claims, { name: "second.837", text: second }] });
  const said = result.said("no_task").map(({ at, message }) => `${at} ${message}`);
  expect(said).toContain(
    "CLM01 PH1002 gives no task: sent again on 2026-02-10; the payer's answer is not in the files",
  );
});

it("imports a thousand claims in one file", () => {
  const { claims, remits, acks } = sampleFiles(100);
  const result = importTasks({
    claims: [{ name: "many.837", text: claims }],
    remits: [{ name: "many.835", text: remits }],
    acks: [{ name: "many.277", text: acks }],
    charts: [],
  });
  expect(result).toMatchObject({ ok: true, tasks: 600 });
});
