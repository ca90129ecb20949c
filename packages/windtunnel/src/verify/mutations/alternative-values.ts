/** Other valid values for an argument, off-by-one amounts, and calls made up from what a seed names: the material of wrong-but-plausible acts. */
import type { Random } from "../../core/random.js";
import type { ToolSpec } from "../../core/tool.js";
import type { Argument, Step } from "../trajectory.js";
import { type Parameter, parametersOf } from "./parameter.js";
import type { Seed } from "./seed.js";

const WHOLE = /^\d{1,6}$/;

/** Is this value a count, whatever its field is called? */
export const isCount = ({ form }: Parameter, value: unknown) =>
  form === "number" || ((form === "coded" || form === "plain") && typeof value === "string" && WHOLE.test(value));

/** Valid values of the parameter's family other than `value`; empty for prose, references and what nothing is known of. */
export function alternativesTo(seed: Seed, parameter: Parameter, value: unknown): readonly unknown[] {
  const { form, kind, options } = parameter;
  if (form === "choice") return options.filter((option) => option !== value);
  if (form === "coded" || form === "date" || form === "money")
    return kind === undefined ? [] : seed.valuesOf(kind).filter((other) => other !== value);
  return [];
}

const toCents = (amount: string) => Math.round(Number(amount) * 100);
export const formatCents = (cents: number) => (cents / 100).toFixed(2);

/** The same quantity, nearly: a cent, a unit, a percent, a factor of a hundred, the sign. */
export function nearMisses(parameter: Parameter, value: unknown): readonly unknown[] {
  if (parameter.form === "money" && typeof value === "string" && Number.isFinite(Number(value))) {
    const cents = toCents(value);
    const one = Math.max(1, Math.round(Math.abs(cents) / 100));
    const near = [
      cents - 1,
      cents - 100,
      cents - one,
      Math.round(cents / 100),
      cents + 1,
      cents + 100,
      cents + one,
      -cents,
    ];
    return [...new Set([...near, cents * 100].filter((other) => other !== cents && other !== 0).map(formatCents))];
  }
  if (!isCount(parameter, value)) return [];
  const count = Number(value);
  const near = [count + 1, count - 1, count * 10].filter((other) => other > 0 && other !== count);
  return typeof value === "string" ? near.map(String) : near;
}

/** Arguments for a call of `tool`: references by what `refer` gives for a table, the rest by family. Null when one cannot be filled. */
export function fillArguments(
  seed: Seed,
  tool: ToolSpec,
  random: Random,
  refer: (tables: readonly string[]) => Argument | undefined,
): Readonly<Record<string, Argument>> | null {
  const filled: Record<string, Argument> = {};
  for (const parameter of parametersOf(tool).values()) {
    if (!parameter.required) continue;
    const { name, form, kind, options, tables } = parameter;
    const single: Argument | undefined =
      form === "reference"
        ? refer(tables)
        : form === "choice"
          ? { value: random.pick(options) }
          : form === "prose"
            ? { value: "Please see the record." }
            : form === "number"
              ? { value: 1 }
              : drawn(seed, kind, random);
    if (single === undefined) return null;
    filled[name] = parameter.list ? { value: [single.value] } : single;
  }
  return filled;
}

function drawn(seed: Seed, kind: string | undefined, random: Random): Argument | undefined {
  const values = kind === undefined ? [] : seed.valuesOf(kind);
  return values.length === 0 ? undefined : { value: random.pick(values) };
}

/** The reference arguments of a step, with the tables that each may name. */
export const referencesOf = (seed: Seed, step: Step) =>
  seed
    .parameters(step)
    .filter(({ form }) => form === "reference")
    .map((parameter) => ({ parameter, argument: step.arguments[parameter.name]! }));
