/** The public API of Windtunnel: the nouns of an environment, and what runs one rollout. */
export {
  type Act,
  type Agent,
  type AgentContext,
  type AgentTask,
  defineAgent,
  type ReferenceSolution,
  scriptedAgent,
} from "./core/agent.js";
export { type Candidate, CandidateView, type Recall, randomAgent, recallOf } from "./core/candidates.js";
export { type Claim, findContradictions, reconcileClaims } from "./core/claim.js";
export { type Criterion, type CriterionContext, defineCriterion, defineGate, type Gate } from "./core/criterion.js";
export {
  type AnyEnvironment,
  type Draw,
  defineEnvironment,
  type Environment,
  type GeneratedTask,
  generatedTasks,
  openScenario,
  type Scenario,
  type TaskSource,
} from "./core/environment.js";
export { Episode, type StepResult } from "./core/episode.js";
export { type Boundary, Fault, ToolError, UsageError } from "./core/fault.js";
export { date, type FieldMeaning, instant, kind, meaningOf, money, prose, ref, refToAny } from "./core/field.js";
export { digestOf, hashText, toCanonicalJson } from "./core/hash.js";
export type { Action, Message, Observation, ToolCall, Usage } from "./core/message.js";
export { defineOutcome, type Outcome, type OutcomeReading } from "./core/outcome.js";
export { Random } from "./core/random.js";
export { type Rollout, referenceAgent, runRollout } from "./core/rollout.js";
export { applyRubric, defineRubric, onlyAllowedChanges, type Rubric } from "./core/rubric.js";
export type { CriterionResult, Score } from "./core/score.js";
export { defineSystem, type FaultProfile, type System } from "./core/system.js";
export { type GradedTask, type Limits, SPLITS, type Split, type Task } from "./core/task.js";
export { type CallMatch, Timeline } from "./core/timeline.js";
export { defineTool, pageOf, type Tool, type ToolSpec, toToolSpec } from "./core/tool.js";
export type { CallEvent, EndReason, RowChange, TraceEvent } from "./core/trace.js";
export { defineUser, type User } from "./core/user.js";
export {
  type Evidence,
  errored,
  forAll,
  isMet,
  met,
  notApplicable,
  scored,
  unmet,
  unscored,
  type Verdict,
} from "./core/verdict.js";
export {
  type Change,
  defineTable,
  defineWorld,
  type Row,
  type Table,
  type Tables,
  World,
  type WorldDefinition,
} from "./core/world.js";
