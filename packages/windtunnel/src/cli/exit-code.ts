/** What the process's exit status says. Scripts and CI read nothing else. */
export const EXIT = {
  done: 0,
  /** A gate or a check failed: the work was done and the answer is no. */
  failed: 1,
  /** The command cannot be used as it was given. */
  usage: 2,
  /** Something outside the command broke: an endpoint, the disk, an environment's code. */
  infrastructure: 3,
  /** Stopped by the user; what was finished is kept. */
  cancelled: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
