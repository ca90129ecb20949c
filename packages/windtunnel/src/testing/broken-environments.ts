/**
 * Broken environments, by what is wrong with each: a validator that passes one of them cannot be trusted with the rest.
 */
import type { BrokenEnvironment } from "./broken/edit-example.js";
import { brokenTasksAndTools } from "./broken/tasks-and-tools.js";
import { brokenVerifiers } from "./broken/verifiers.js";

export const brokenEnvironments: Readonly<Record<string, BrokenEnvironment>> = {
  ...brokenTasksAndTools,
  ...brokenVerifiers,
};
