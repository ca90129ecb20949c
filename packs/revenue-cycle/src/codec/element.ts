/**
 * Element rules of one segment, and their check. Owns the small rule language below and the law that a segment with
 * bad elements yields every element problem and exactly one summary. Elements without a rule are not looked at.
 *
 * A rule: "AN1-38" text, "N1-6" whole number, "R1-15" decimal, "M1-18" money, "D" CCYYMMDD, "T" HHMM[SS[d]],
 * "=A|B" code; a final "!" makes it required; "" is no rule. An array is a composite: "!" or "?", then its parts.
 */
import { isDigits, isX12Date, isX12Time } from "./calendar.js";
import { isDecimal } from "./decimal.js";
import type { ProblemCode, ProblemList } from "./problem.js";
import { elementOf, positionOf, type Segment, type Separators } from "./segment.js";

interface Rule {
  readonly kind: "AN" | "N" | "R" | "M" | "D" | "T" | "=";
  readonly min: number;
  readonly max: number;
  readonly required: boolean;
  readonly codes: ReadonlySet<string>;
  readonly expected: string;
}

interface CompositeRule {
  readonly required: boolean;
  readonly parts: readonly (Rule | undefined)[];
}

/** Reports one element problem of the segment under check. */
export type Report = (code: ProblemCode, element: number, expected: string, found: string) => void;
/** A rule that spans elements, such as "both or neither". */
export type CrossRule = (segment: Segment, report: Report) => void;

export interface SegmentRule {
  readonly max: number;
  readonly elements: readonly (Rule | CompositeRule | undefined)[];
  readonly cross: CrossRule | undefined;
}

/** The rules of a segment that has at most `max` elements; `rules[0]` is element 1. */
export function segmentRule(
  max: number,
  rules: readonly (string | readonly string[])[],
  cross?: CrossRule,
): SegmentRule {
  return { max, elements: rules.map((rule) => (typeof rule === "string" ? ruleOf(rule) : compositeOf(rule))), cross };
}

function compositeOf([required, ...parts]: readonly string[]): CompositeRule {
  return { required: required === "!", parts: parts.map(ruleOf) };
}

function ruleOf(text: string): Rule | undefined {
  if (text === "") return undefined;
  const required = text.endsWith("!");
  const body = required ? text.slice(0, -1) : text;
  const kind = (body.startsWith("AN") ? "AN" : body[0]) as Rule["kind"];
  const rest = body.slice(kind.length);
  if (kind === "=") {
    const codes = rest.split("|");
    return {
      kind,
      min: 1,
      max: Number.MAX_SAFE_INTEGER,
      required,
      codes: new Set(codes),
      expected: codes.join(" or "),
    };
  }
  const [min, max] = kind === "D" ? [8, 8] : kind === "T" ? [4, 8] : rest.split("-").map(Number);
  const lengths = `${min} to ${max} ${kind === "AN" ? "characters" : "digits"}`;
  const expected = {
    AN: lengths,
    N: lengths,
    R: `a decimal, ${lengths}`,
    M: `an amount, ${lengths}`,
    D: "CCYYMMDD",
    T: "HHMM",
  }[kind];
  return { kind, min: min ?? 1, max: max ?? 1, required, codes: new Set(), expected };
}

/** Adds every element problem of the segment, then one summary; true when there is none. */
export function checkSegment(
  segment: Segment,
  rule: SegmentRule,
  separators: Separators,
  problems: ProblemList,
): boolean {
  let errors = 0;
  const { elements } = segment;
  const last = Math.max(elements.length - 1, rule.elements.length);
  for (let n = 1; n <= last; n++) {
    const value = elements[n] ?? "";
    if (n > rule.max) {
      errors++;
      problems.add(
        "too-many-elements",
        positionOf(segment, n),
        `at most ${rule.max} elements`,
        `element ${n}: ${value}`,
      );
      continue;
    }
    const one = rule.elements[n - 1];
    if (one === undefined) continue;
    if ("parts" in one) errors += checkComposite(segment, n, value, one, separators, problems);
    else {
      const code = faultOf(value, one, separators);
      if (code === undefined) continue;
      errors++;
      problems.add(code, positionOf(segment, n), one.expected, value);
    }
  }
  rule.cross?.(segment, (code, element, expected, found) => {
    errors++;
    problems.add(code, positionOf(segment, element), expected, found);
  });
  if (errors === 0) return true;
  const found = `${errors} element error${errors === 1 ? "" : "s"}`;
  problems.add("segment-has-element-errors", positionOf(segment), `${segment.id} without element errors`, found);
  return false;
}

function checkComposite(
  segment: Segment,
  n: number,
  value: string,
  rule: CompositeRule,
  separators: Separators,
  problems: ProblemList,
): number {
  if (value === "") {
    if (!rule.required) return 0;
    problems.add("required-element-missing", positionOf(segment, n), "a composite element", "");
    return 1;
  }
  const parts = value.split(separators.component);
  let errors = 0;
  for (let c = 1; c <= Math.max(parts.length, rule.parts.length); c++) {
    const part = parts[c - 1] ?? "";
    const one = rule.parts[c - 1];
    const at = () => positionOf(segment, n, c, separators.component);
    if (c > rule.parts.length) {
      errors++;
      problems.add("too-many-components", at(), `at most ${rule.parts.length} components`, value);
      break;
    }
    if (one === undefined) continue;
    const code = faultOf(part, one, separators);
    if (code === undefined) continue;
    errors++;
    problems.add(code, at(), one.expected, part);
  }
  return errors;
}

function faultOf(value: string, rule: Rule, separators: Separators): ProblemCode | undefined {
  if (value === "") return rule.required ? "required-element-missing" : undefined;
  if (rule.kind === "=" && rule.codes.has(value)) return undefined;
  if (value.includes(separators.component)) return "too-many-components";
  if (value.includes(separators.repetition)) return "too-many-repetitions";
  let length = value.length;
  switch (rule.kind) {
    case "=":
      return "invalid-code-value";
    case "D":
      return isX12Date(value) ? undefined : "invalid-date";
    case "T":
      return isX12Time(value) ? undefined : "invalid-time";
    case "N":
      if (!isDigits(value)) return "invalid-character";
      break;
    case "R":
    case "M":
      if (!isDecimal(value, rule.kind === "M" ? 2 : 9)) return "invalid-character";
      length -= (value.startsWith("-") ? 1 : 0) + (value.includes(".") ? 1 : 0);
      break;
    case "AN":
      break;
  }
  return length < rule.min ? "element-too-short" : length > rule.max ? "element-too-long" : undefined;
}

/** Cross rule: elements `a` and `b` are both present or both absent. */
export function paired(a: number, b: number): CrossRule {
  return (segment, report) => {
    const missing = elementOf(segment, a) === "" ? a : elementOf(segment, b) === "" ? b : 0;
    const given = missing === a ? b : a;
    if (missing === 0 || elementOf(segment, given) === "") return;
    report("conditional-element-missing", missing, `element ${missing}, since element ${given} is given`, "");
  };
}
