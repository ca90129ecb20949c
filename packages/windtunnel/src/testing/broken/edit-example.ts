/**
 * Small edits of the example environment, each of which makes an environment that differs from the sound one in one thing.
 */
import { z } from "zod";
import { type Criterion, defineCriterion, type Gate } from "../../core/criterion.js";
import { type AnyEnvironment, type Draw, defineEnvironment, type GeneratedTask } from "../../core/environment.js";
import { defineRubric } from "../../core/rubric.js";
import { defineSystem } from "../../core/system.js";
import { defineTool, type Tool } from "../../core/tool.js";
import type { Verdict } from "../../core/verdict.js";
import { exampleEnvironment } from "../example-environment.js";

export type Example = typeof exampleEnvironment;
export type Shop = Parameters<Example["generate"]>[0];
export type Facts = ReturnType<Example["generate"]>["facts"];
const { rubric } = exampleEnvironment;
const shop = exampleEnvironment.systems[0]!;

export const edit = (changes: Partial<Example>): AnyEnvironment =>
  defineEnvironment({ ...exampleEnvironment, ...changes });
export const withTools = (tools: readonly unknown[]) =>
  edit({ systems: [defineSystem({ ...shop, tools: tools as Example["systems"][number]["tools"] })] });
export const withTool = (name: string, change: (tool: Tool<never>) => Partial<Tool<never>>) =>
  withTools(
    shop.tools.map((tool) => (tool.name === name ? { ...tool, ...change(tool as unknown as Tool<never>) } : tool)),
  );
export const withExtra = (tool: Tool<never>) => withTools([...shop.tools, tool]);
export const withGenerate = (
  change: (made: GeneratedTask<Facts>, world: Shop, draw: Draw) => Partial<GeneratedTask<Facts>>,
) =>
  edit({
    generate(world, draw) {
      const made = exampleEnvironment.generate(world, draw);
      return { ...made, ...change(made, world, draw) };
    },
  });
export const withRubric = (change: { gates?: readonly Gate[]; criteria?: readonly Criterion[] }) =>
  edit({ rubric: defineRubric({ ...rubric, ...(change as Partial<Example["rubric"]>) }) });
/** The sound criteria, with the last replaced by one that asks `check`. */
export const asking = (
  check: (context: Parameters<Example["rubric"]["criteria"][number]["check"]>[0]) => Verdict,
  more: Partial<Criterion> = {},
) =>
  withRubric({
    criteria: [
      ...rubric.criteria.slice(0, 2),
      defineCriterion({
        name: "odd",
        description: "An odd question.",
        points: 20,
        after: ["right_decision"],
        check,
        ...(more as object),
      }),
    ] as unknown as Criterion[],
  });
export const answering = (name: string, handle: () => unknown) =>
  defineTool({
    name,
    description: "An extra tool.",
    effect: "read",
    input: z.object({}),
    output: z.unknown(),
    handle,
  }) as Tool<never>;

/** An environment with one thing wrong, the check that must fail it, and what that check must say. */
export interface BrokenEnvironment {
  readonly check: string;
  readonly message: RegExp;
  /** Made anew each time: some of them remember. */
  readonly environment: () => AnyEnvironment;
}
