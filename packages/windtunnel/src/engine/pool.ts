/**
 * A bounded pool over a lazy list of jobs. "auto" keeps one job at a time while jobs never wait (synchronous agents gain nothing from
 * company) and widens as soon as all running jobs are waiting on something outside.
 */

const AUTO_LIMIT = 64;
const LOOK_EVERY_MS = 5;

/** A job resolves when it and what follows it are done; it says when the part that may wait begins and ends. */
export type Job = (waiting: { begin(): void; end(): void }) => Promise<void>;

/** Runs jobs until the list or `stopped` ends them. Rejects with the first error of a job, once the others have ended. */
export async function runPool(
  jobs: Iterator<Job>,
  concurrency: number | "auto",
  stopped: () => boolean,
): Promise<void> {
  const limit = concurrency === "auto" ? AUTO_LIMIT : Math.max(1, Math.floor(concurrency));
  const workers: Promise<void>[] = [];
  let running = 0;
  let exhausted = false;
  let failure: { readonly error: unknown } | undefined;
  const waiting = { begin: () => void running++, end: () => void running-- };

  const work = async () => {
    while (!exhausted && failure === undefined && !stopped()) {
      const next = jobs.next();
      if (next.done === true) exhausted = true;
      else await next.value(waiting);
    }
  };
  const fail = (error: unknown) => {
    failure ??= { error };
  };
  const hire = (count: number) => {
    for (let i = 0; i < count; i++) workers.push(work().catch(fail));
  };

  hire(concurrency === "auto" ? 1 : limit);
  const look = setInterval(() => {
    if (running >= workers.length && workers.length < limit && !exhausted)
      hire(Math.min(workers.length, limit - workers.length));
  }, LOOK_EVERY_MS);
  try {
    for (let done = 0; done < workers.length; done++) await workers[done];
  } finally {
    clearInterval(look);
  }
  if (failure !== undefined) throw failure.error;
}
