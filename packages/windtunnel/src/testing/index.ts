/** Public fakes, a sound example environment, and the strict checker that environments are held to. */
export { breakingAgent, fakeAgent, idleAgent } from "./agents.js";
export { exampleEnvironment } from "./example-environment.js";
