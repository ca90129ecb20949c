/**
 * Does the environment keep its own contract? Rows and results against their schemas, reads that write, refusals that leave something behind,
 * tools that crash, descriptions that are missing.
 */
import { toCanonicalJson } from "../../core/hash.js";
import type { World } from "../../core/world.js";
import { callsOf } from "../attempt.js";
import { type Check, FirstOfEach, messageOf, type Problem, show } from "../report.js";

const rowsConform: Check = {
  id: "rows-conform",
  title: "Every row fits its table's schema, at the start and after every kind of attempt",
  async find(sample) {
    const problems = new FirstOfEach();
    let worlds = 0;
    const look = (when: string, world: World) => {
      worlds++;
      for (const line of world.validate()) {
        const [, table, field, message] = /^([^/]*)\/.*?\.([^.:]*): (.*)$/s.exec(line) ?? ["", line, "", line];
        problems.add(`${table}.${field}`, {
          where: `${when}, ${line.split(": ")[0]}`,
          message: `a row of "${table}" does not fit its schema: ${message}`,
          fix: "Write rows that fit, or say in the schema what the field may hold.",
        });
      }
    };
    for (const { task, world } of sample.scenarios) look(`${task.id} at the start`, world);
    for (const { scenario, agent, world } of await sample.attempts()) look(`${scenario.task.id} after ${agent}`, world);
    return sample.scenarios.length === 0
      ? { problems: [], notMeasured: "no task opened" }
      : { problems: problems.list, measured: { worlds } };
  },
};

const resultsConform: Check = {
  id: "results-conform",
  title: "Every tool result fits the tool's output schema and holds nothing that is not declared there",
  async find(sample) {
    const problems = new FirstOfEach();
    const seen = new Set<string>();
    for (const attempt of await sample.attempts()) {
      for (const { where, call } of callsOf(attempt)) {
        const known = sample.environment.tools.get(call.tool);
        if (!call.ok || known === undefined) continue;
        seen.add(call.tool);
        const parsed = known.tool.output.safeParse(call.result);
        const fix = "Return what the output schema says, or change the schema.";
        if (!parsed.success) {
          const issue = parsed.error.issues[0]!;
          problems.add(`${call.tool} ${issue.path.join(".")}`, {
            where: `${where}, result.${issue.path.join(".")}`,
            message: `the result does not fit the output schema: ${issue.message}`,
            actual: show(call.result),
            fix,
          });
        } else if (canonical(parsed.data) !== canonical(call.result)) {
          problems.add(`${call.tool} undeclared`, {
            where,
            message:
              "the result is not what its output schema would make of it: an undeclared field, or a value the schema transforms",
            expected: show(parsed.data),
            actual: show(call.result),
            fix,
          });
        }
      }
    }
    const never = [...sample.environment.tools.keys()].filter((tool) => !seen.has(tool));
    return {
      problems: problems.list,
      measured: { toolsSeen: seen.size, toolsNeverSeen: never },
      ...(seen.size === 0 ? { notMeasured: "no call succeeded" } : {}),
    };
  },
};

function canonical(value: unknown): string {
  try {
    return toCanonicalJson(value);
  } catch (error) {
    return messageOf(error);
  }
}

const effectsHonest: Check = {
  id: "effects-honest",
  title: "Tools that read change nothing, and calls that fail leave nothing behind",
  async find(sample) {
    const problems = new FirstOfEach();
    let looked = 0;
    for (const attempt of await sample.attempts()) {
      for (const { where, call } of callsOf(attempt)) {
        looked++;
        if (call.changes.length === 0) continue;
        const changed = call.changes.map(({ table, op }) => `${op} in ${table}`).join(", ");
        if (!call.ok && call.fault !== "timeout_applied")
          problems.add(`${call.tool} refusal`, {
            where,
            message: "a refused call left changes behind",
            actual: changed,
            fix: "Check everything first, then write.",
          });
        if (call.ok && sample.environment.tools.get(call.tool)?.tool.effect === "read")
          problems.add(`${call.tool} read`, {
            where,
            message: "a tool declared to read has written",
            actual: changed,
            fix: 'Declare it with effect "write", or do not write.',
          });
      }
    }
    return looked === 0
      ? { problems: [], notMeasured: "no call was made" }
      : { problems: problems.list, measured: { calls: looked } };
  },
};

const toolsHold: Check = {
  id: "tools-hold",
  title: "No call, however odd, and no baseline breaks a boundary",
  async find(sample) {
    const problems = new FirstOfEach();
    const attempts = [...(await sample.walks()), ...(await sample.baselines()), ...(await sample.idle())];
    for (const { fault, scenario, agent } of attempts) {
      if (fault !== undefined)
        problems.add(fault.code, {
          where: `${scenario.task.id} by ${agent}`,
          message: `the ${fault.boundary} broke (${fault.code}): ${fault.message}`,
          fix:
            fault.boundary === "tool" ? "Throw a ToolError for what the real system would refuse." : "Make it return.",
        });
    }
    return attempts.length === 0
      ? { problems: [], notMeasured: "no task opened" }
      : { problems: problems.list, measured: { attempts: attempts.length } };
  },
};

const described: Check = {
  id: "described",
  title: "The environment, its systems and its tools say what they are",
  find({ environment }) {
    const problems: Problem[] = [];
    const need = (where: string, text: string, least: number, what: string) => {
      if (text.trim().length < least)
        problems.push({
          where,
          message: `there is no ${what}`,
          fix: "Say in a sentence what it is: it is all that an agent has to go by.",
        });
    };
    need(environment.name, environment.description, 8, "description");
    for (const { name, title } of environment.systems) need(`system ${name}`, title, 2, "title");
    for (const { name, description } of environment.toolSpecs) need(`tool ${name}`, description, 8, "description");
    return { problems, measured: { tools: environment.toolSpecs.length } };
  },
};

export const conformanceChecks: readonly Check[] = [rowsConform, resultsConform, effectsHonest, toolsHold, described];
