/** A user's own files as denial tasks: import them, label them, open them. */
export { applyLabels, type LabelResult } from "./apply-labels.js";
export type { ImportFiles, ImportProblem, ImportResult, NamedText } from "./import-files.js";
export { importTasks } from "./import-tasks.js";
export { openTasks } from "./imported-tasks.js";
