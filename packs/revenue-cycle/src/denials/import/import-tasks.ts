/**
 * Import: a user's own 837, 835 and 277CA files and charts become imported data, or a list of every problem and nothing else. What the files do not
 * say (the right cause, the right end) stays unlabelled. See chart-documents for the layout of a chart folder.
 */
import { formatCents } from "../../codec/index.js";
import { DISPOSITION_IDS } from "../../reference/dispositions.js";
import { PREVENTION_IDS } from "../../reference/prevention.js";
import { ROOT_CAUSES, rootCausesFor } from "../../reference/root-causes.js";
import { addDays } from "../calendar.js";
import { factsOf } from "../case-truth.js";
import { type AccountMoney, accountMoney } from "./account-money.js";
import { type Account, linkAccounts, sameServices } from "./accounts.js";
import { applyLabels } from "./apply-labels.js";
import { type BuiltPatient, buildPatient } from "./build-patient.js";
import { type ChartDocument, readCharts } from "./chart-documents.js";
import { amountOf, findWork, reasonsOf, type Work } from "./find-work.js";
import type { ImportFiles, ImportProblem, ImportResult } from "./import-files.js";
import {
  digestFiles,
  type ImportedData,
  type ImportedPatient,
  type ImportedTask,
  toImportedData,
} from "./imported-data.js";
import { type ReadFiles, readFiles } from "./read-files.js";

interface Case {
  readonly account: Account;
  readonly money: AccountMoney;
  readonly work: Work;
}

/** Makes tasks of a user's files: one for every account that a payer refused, wholly or in part, or rejected, and that has money open. */
export function importTasks(files: ImportFiles): ImportResult {
  const read = readFiles(files);
  const { accounts, warnings } = linkAccounts(read);
  const charts = readCharts(files.charts, accounts);
  const problems = [...read.problems, ...charts.problems];
  if (problems.length > 0) return { ok: false, problems };

  const cases = accounts.map((account): Case => {
    const money = accountMoney(account);
    return { account, money, work: findWork(account, money) };
  });
  const data = toData(files, cases, charts.documents, dayAfter(read, charts.documents));
  const tasks = data.patients.reduce((sum, patient) => sum + patient.tasks.length, 0);
  const notes = [
    ...warnings,
    ...charts.warnings,
    ...sameServices(accounts),
    ...cases.flatMap(oddities),
    ...cases.flatMap(withoutTask),
  ];
  if (files.labels === undefined || files.labels.length === 0) return { ok: true, tasks, data, warnings: notes };
  const labelled = applyLabels(data, files.labels);
  return labelled.ok ? { ok: true, tasks, data: labelled.data, warnings: notes } : labelled;
}

/** The day after the newest date in the files. */
function dayAfter({ claims, decisions, receipts }: ReadFiles, documents: readonly ChartDocument[]): string {
  const dates = [
    ...claims.flatMap(({ claim }) => [
      claim.submission.date,
      ...claim.lines.map(({ serviceDate, serviceEnd }) => serviceEnd ?? serviceDate),
    ]),
    ...decisions.flatMap(({ remittance }) => [remittance.date, remittance.productionDate ?? remittance.date]),
    ...receipts.flatMap(({ acknowledgment: { header, statuses } }) => [
      header.date,
      ...statuses.map(({ date }) => date),
    ]),
    ...documents.map(({ row }) => row.date),
  ];
  return addDays(
    dates.reduce((a, b) => (a > b ? a : b), "1970-01-01"),
    1,
  );
}

function toData(
  files: ImportFiles,
  cases: readonly Case[],
  documents: readonly ChartDocument[],
  today: string,
): ImportedData {
  const sorted = (texts: readonly { readonly text: string }[]) => texts.map(({ text }) => text).sort();
  const digest = digestFiles([
    sorted(files.claims),
    sorted(files.remits),
    sorted(files.acks),
    files.charts.map(({ name, text }) => `${name}\n${text}`).sort(),
  ]);
  const byPerson = groupByPerson(cases);
  const charts = new Map<string, ChartDocument[]>();
  for (const document of documents) charts.set(document.person, [...(charts.get(document.person) ?? []), document]);
  const patients: ImportedPatient[] = [];
  let number = 0;
  for (const [person, own] of byPerson) {
    if (own.every(({ work }) => work.kind === "none")) continue;
    const patient = buildPatient({
      accounts: own,
      documents: charts.get(person) ?? [],
      today,
      seed: `import/${digest}/${person}`,
    });
    const tasks = own
      .filter(({ work }) => work.kind !== "none")
      .map((one) => toTask(one, patient, `imported/${digest}/${number++}`, today));
    patients.push({ payers: patient.payers, rows: patient.rows, tasks });
  }
  return toImportedData(digest, today, patients);
}

function groupByPerson(cases: readonly Case[]): ReadonlyMap<string, Case[]> {
  const groups = new Map<string, Case[]>();
  for (const one of cases) {
    const group = groups.get(one.account.person);
    if (group === undefined) groups.set(one.account.person, [one]);
    else group.push(one);
  }
  return groups;
}

function toTask({ money, work }: Case, patient: BuiltPatient, id: string, today: string): ImportedTask {
  const claim = patient.rows.claims.find((row) => row.id === patient.claimOf.get(work.filing))!;
  const item = patient.mintItem();
  const { code, headline, carcs } = describe(work);
  const likely =
    carcs === null
      ? ROOT_CAUSES.rows.filter(({ signals }) => signals.includes("claim_rejection"))
      : carcs.flatMap(rootCausesFor);
  return {
    id,
    archetype: `imported-${code.toLowerCase()}`,
    item: {
      id: item,
      claim: claim.id,
      queue: work.kind === "rejected" ? "rejections" : "denials",
      openedOn: today,
      amount: amountOf(money),
      headline,
      status: "open",
      // Nobody has said which one is right, so none is left out: those that can stand behind the code come first.
      causes: [...new Set([...likely, ...ROOT_CAUSES.rows].map((cause) => cause.id))],
      dispositions: [...DISPOSITION_IDS],
      preventions: [...PREVENTION_IDS],
      cause: null,
      disposition: null,
      prevention: null,
      closedOn: null,
    },
    facts: factsOf({
      labelled: false,
      item,
      claim: claim.id,
      rootCause: "",
      dispositions: [],
      prevention: "",
      lookAt: [],
      actBy: today,
      serviceDate: claim.serviceDate,
    }),
  };
}

function describe(work: Work): { code: string; headline: string; carcs: readonly string[] | null } {
  if (work.kind === "none") throw new Error("an account without work has no headline");
  if (work.kind === "rejected")
    return { code: work.category.slice(0, 2), headline: `Rejected on arrival (277CA ${work.category})`, carcs: null };
  const reasons = reasonsOf(work.refusals);
  const { lines } = work.filing.claim;
  const refused = new Set(work.refusals.map(({ line }) => line));
  const codes = [...new Set(lines.filter(({ number }) => refused.has(number)).map(({ hcpcs }) => hcpcs))];
  const where = codes.length === 0 ? "the whole claim" : codes.join(", ");
  return {
    code: reasons[0]!,
    headline: `${reasons.join(", ")} on ${where}`,
    carcs: [...new Set(work.refusals.map(({ carc }) => carc))],
  };
}

/** Decisions that fit no line of their claim. */
function oddities({ account, money }: Case): ImportProblem[] {
  return account.filings.flatMap((filing) =>
    (money.answers.get(filing) ?? []).flatMap(({ decision, decided }) =>
      decided.strangers.map((line) => ({
        file: decision.file,
        at: `CLP01 ${decision.payment.patientControlNumber}, SVC01 ${line.hcpcs}`,
        code: "line_unmatched",
        message: "decides on a line that the claim does not have; its money is posted to the claim as a whole",
      })),
    ),
  );
}

/** Why an account gave no task. */
function withoutTask({ account, money, work }: Case): ImportProblem[] {
  if (work.kind !== "none") return [];
  const { file, claim } = account.filings[0]!;
  const last = work.filing.claim.patientControlNumber;
  const as = last === claim.patientControlNumber ? "" : ` (last sent as ${last})`;
  const credit = money.openCents < 0 ? `; the account shows a credit of ${formatCents(-money.openCents)}` : "";
  return [
    {
      file,
      at: `CLM01 ${claim.patientControlNumber}`,
      code: "no_task",
      message: `gives no task: ${work.reason}${as}${credit}`,
    },
  ];
}
