/**
 * The vocabulary of things that go wrong. A ToolError is a result the agent sees; a Fault is a broken boundary and never a score;
 * a UsageError is a person's input that cannot be used as it is.
 */

export const BOUNDARIES = ["agent", "tool", "world", "user", "verifier", "judge", "model", "sandbox", "store"] as const;
export type Boundary = (typeof BOUNDARIES)[number];

/** Marks a class so that `instanceof` holds across two installed copies of this package. */
function recognisable(name: string) {
  const brand = Symbol.for(`windtunnel.${name}`);
  return {
    brand,
    has: (value: unknown) =>
      typeof value === "object" && value !== null && (value as Record<symbol, unknown>)[brand] === true,
  };
}

const fault = recognisable("Fault");
const toolError = recognisable("ToolError");
const usageError = recognisable("UsageError");

/** A boundary broke: the rollout is errored there, whatever the agent did. */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly [fault.brand] = true;
  static override [Symbol.hasInstance](value: unknown): boolean {
    return fault.has(value);
  }
  constructor(
    readonly boundary: Boundary,
    readonly code: string,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** Runs `work`; what it throws comes out as a Fault of `boundary`, recorded once (an inner Fault keeps its own boundary). */
export function withBoundary<T>(boundary: Boundary, code: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw toFault(boundary, code, cause);
  }
}

export function toFault(boundary: Boundary, code: string, cause: unknown): Fault {
  if (cause instanceof Fault) return cause;
  return new Fault(boundary, code, cause instanceof Error ? cause.message : String(cause), { cause });
}

/** Thrown by a tool handler for what a real system would answer: the agent sees it as a failed result. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  readonly [toolError.brand] = true;
  static override [Symbol.hasInstance](value: unknown): boolean {
    return toolError.has(value);
  }
  constructor(
    readonly code: string,
    message: string,
    readonly details?: Readonly<Record<string, unknown>>,
  ) {
    super(message);
  }
}

/** A person's input cannot be used. Data first; `message` is the view: what, where, what was expected, what to do. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly [usageError.brand] = true;
  static override [Symbol.hasInstance](value: unknown): boolean {
    return usageError.has(value);
  }
  readonly code: string;
  readonly path: string | undefined;
  readonly expected: string | undefined;
  readonly actual: string | undefined;
  readonly fix: string | undefined;

  constructor(problem: {
    code: string;
    what: string;
    path?: string;
    expected?: string;
    actual?: string;
    fix?: string;
  }) {
    const where = problem.path === undefined ? "" : ` at ${problem.path}`;
    const contrast =
      problem.expected === undefined
        ? ""
        : `: expected ${problem.expected}${problem.actual === undefined ? "" : `, found ${problem.actual}`}`;
    super(`${problem.what}${where}${contrast}.${problem.fix === undefined ? "" : ` ${problem.fix}`}`);
    this.code = problem.code;
    this.path = problem.path;
    this.expected = problem.expected;
    this.actual = problem.actual;
    this.fix = problem.fix;
  }
}
