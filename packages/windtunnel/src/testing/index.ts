/** Public fakes, a sound example environment, and the strict checker that environments are held to. */
export { breakingAgent, fakeAgent, idleAgent } from "./agents.js";
export type { BrokenEnvironment } from "./broken/edit-example.js";
export { brokenEnvironments } from "./broken-environments.js";
export { type CheckOptions, checkEnvironment } from "./check-environment.js";
export { exampleEnvironment } from "./example-environment.js";
export { callTool, fakeUser, manualClock, worldOf } from "./fakes.js";
export type { CheckReport, CheckResult, Problem } from "./report.js";
export { runAgent } from "./run-agent.js";
export { wildWalk } from "./wild-walk.js";
