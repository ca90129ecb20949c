/**
 * Audit of tau2-bench task files: which checks of a task cannot fail, and what reward that leaves open to an agent that does nothing.
 * Static: it reads the tasks' own evaluation criteria and executes no tool. Which tools write is told from their names, since the files do
 * not say; `writes` overrides it.
 */
import { z } from "zod";
import { UsageError } from "../../core/fault.js";

const action = z.looseObject({
  action_id: z.string(),
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).nullish(),
  compare_args: z.array(z.string()).nullish(),
  requestor: z.string().nullish(),
});

const task = z.looseObject({
  id: z.union([z.string(), z.number()]).transform(String),
  evaluation_criteria: z
    .looseObject({
      actions: z.array(action).nullish(),
      env_assertions: z.array(z.unknown()).nullish(),
      communicate_info: z.array(z.string()).nullish(),
      nl_assertions: z.array(z.string()).nullish(),
      reward_basis: z.array(z.string()).nullish(),
    })
    .nullish(),
});

export const TAU2_FINDINGS = {
  doNothingPass: "an agent that does nothing and stops earns the full reward",
  noCriteria: "the task has no evaluation criteria, which the grader takes for a full reward",
  emptyGate: "a part of the reward basis has nothing to check, so it always passes",
  unscoredCheck: "a check is written down but is not part of the reward basis",
  droppedArgument: "an expected argument is not compared, so a call without it counts as right",
  nameOnlyMatch: "only the tool's name is compared, so any arguments count as right",
  shortSubstring: "a required message is a substring of two characters or fewer, which almost any answer contains",
} as const;
export type Tau2FindingKind = keyof typeof TAU2_FINDINGS;

export interface Tau2Finding {
  readonly kind: Tau2FindingKind;
  readonly reason: string;
  /** Where in the task: "evaluation_criteria.actions[2]". */
  readonly path: string;
}

export interface Tau2TaskAudit {
  readonly task: string;
  readonly findings: readonly Tau2Finding[];
  /** Highest reward an agent that does nothing gets by these criteria, 0 or 1 (the grader multiplies its parts). */
  readonly doNothingReward: 0 | 1;
}

export interface Tau2Audit {
  readonly tasks: number;
  readonly audits: readonly Tau2TaskAudit[];
  /** Tasks with at least one finding of the kind. */
  readonly counts: Readonly<Record<Tau2FindingKind, number>>;
}

const READS = /^(get|find|list|search|lookup|look_up|calculate|check|verify|read|view|query|think|transfer_to_human)/;

/** Tells a tool that changes the world from one that only looks, by its name. */
export const writesByName = (tool: string): boolean => !READS.test(tool);

/** Parses the text of a tasks.json. Throws UsageError that names the task and the field. */
export function parseTau2Tasks(text: string, file: string): z.output<typeof task>[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new UsageError({
      code: "not_json",
      what: "The task file is not JSON",
      path: file,
      expected: "a JSON array of tasks",
      actual: (error as Error).message,
      fix: "Give a tau2-bench tasks.json.",
    });
  }
  const parsed = z.array(task).safeParse(json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw new UsageError({
    code: "not_tau2_tasks",
    what: "The file does not hold tau2-bench tasks",
    path: `${file}: ${issue.path.join(".") || "(root)"}`,
    expected: "the shape of tau2-bench's Task",
    actual: issue.message,
    fix: "Give the tasks.json of a tau2-bench domain.",
  });
}

/** Audits every task. `writes` says whether a tool changes the world. */
export function auditTau2(
  tasks: readonly z.output<typeof task>[],
  writes: (tool: string) => boolean = writesByName,
): Tau2Audit {
  const audits = tasks.map((one) => auditTask(one, writes));
  const counts = Object.fromEntries(
    (Object.keys(TAU2_FINDINGS) as Tau2FindingKind[]).map((kind) => [
      kind,
      audits.filter(({ findings }) => findings.some((finding) => finding.kind === kind)).length,
    ]),
  ) as Record<Tau2FindingKind, number>;
  return { tasks: tasks.length, audits, counts };
}

function auditTask(
  { id, evaluation_criteria: criteria }: z.output<typeof task>,
  writes: (tool: string) => boolean,
): Tau2TaskAudit {
  const findings: Tau2Finding[] = [];
  const add = (kind: Tau2FindingKind, reason: string, path: string) =>
    findings.push({ kind, reason, path: `evaluation_criteria${path}` });
  if (criteria == null) {
    add("noCriteria", TAU2_FINDINGS.noCriteria, "");
    add("doNothingPass", "there is nothing to fail", "");
    return { task: id, findings, doNothingReward: 1 };
  }
  const actions = criteria.actions ?? [];
  const expected = {
    DB: actions,
    ACTION: actions,
    ENV_ASSERTION: criteria.env_assertions ?? [],
    COMMUNICATE: criteria.communicate_info ?? [],
    NL_ASSERTION: criteria.nl_assertions ?? [],
  };
  const FIELD = {
    ACTION: ".actions",
    ENV_ASSERTION: ".env_assertions",
    COMMUNICATE: ".communicate_info",
    NL_ASSERTION: ".nl_assertions",
  } as const;
  // The default of tau2-bench's Task model.
  const basis = criteria.reward_basis ?? ["DB", "COMMUNICATE"];

  for (const part of Object.keys(FIELD) as (keyof typeof FIELD)[]) {
    const checks = expected[part].length;
    if (basis.includes(part) && checks === 0)
      add("emptyGate", `${part} is in the reward basis and has nothing to check`, FIELD[part]);
    if (!basis.includes(part) && part !== "ACTION" && checks > 0)
      add("unscoredCheck", `${checks} checks of ${part}, which is not in the reward basis`, FIELD[part]);
  }
  if (basis.includes("ACTION")) {
    actions.forEach(({ name, arguments: args, compare_args: compared }, i) => {
      const given = Object.keys(args ?? {});
      const path = `.actions[${i}]`;
      if (compared != null && compared.length === 0) add("nameOnlyMatch", `${name} is matched by name alone`, path);
      else if (compared == null && given.length > 0)
        add(
          "droppedArgument",
          `${name}: only the arguments that the agent supplies are compared, of ${given.join(", ")}`,
          path,
        );
    });
  }
  if (basis.includes("COMMUNICATE")) {
    (criteria.communicate_info ?? []).forEach((text, i) => {
      if (text.trim().length <= 2)
        add("shortSubstring", `the answer need only contain ${JSON.stringify(text)}`, `.communicate_info[${i}]`);
    });
  } else {
    (criteria.communicate_info ?? []).forEach((text, i) => {
      if (text.trim().length <= 2)
        add(
          "shortSubstring",
          `${JSON.stringify(text)} would match almost any answer, were it scored`,
          `.communicate_info[${i}]`,
        );
    });
  }

  const idle = basis.every((part) => {
    if (part === "DB")
      return !actions.some(({ name, requestor }) => (requestor == null || requestor === "assistant") && writes(name));
    return (expected[part as keyof typeof expected] ?? []).length === 0;
  });
  if (idle)
    add(
      "doNothingPass",
      `no expected write, and nothing else in the reward basis (${basis.join(", ")}) that could fail`,
      "",
    );
  return { task: id, findings, doNothingReward: idle ? 1 : 0 };
}
