/**
 * Watches a model's answers over a whole run and says when there is no use in going on: it refuses everything from the start (a bad key, a
 * request it does not take), or it has stopped answering. Attempts not begun are then better left for a resume.
 */
import type { Agent } from "../core/agent.js";
import { Fault } from "../core/fault.js";

const REFUSALS: ReadonlySet<string> = new Set(["model_auth", "model_bad_request"]);
const LOSSES: ReadonlySet<string> = new Set(["model_unavailable", "model_timeout", "model_rate_limited"]);
/** Turns in a row, each after its own retries. */
const LOST_IN_A_ROW = 8;

export class EndpointWatch {
  readonly #controller = new AbortController();
  #answered = false;
  #lostInARow = 0;
  /** The fault that ended it, once there is one. */
  fault: Fault | undefined;

  /** Aborts when there is no use in going on. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The same agent, watched. */
  watch(agent: Agent): Agent {
    return {
      ...agent,
      open: (context) => {
        const act = agent.open(context);
        return async (observation) => {
          try {
            const action = await act(observation);
            this.#answered = true;
            this.#lostInARow = 0;
            return action;
          } catch (error) {
            if (error instanceof Fault && error.boundary === "model") this.#note(error);
            throw error;
          }
        };
      },
    };
  }

  #note(fault: Fault): void {
    if (LOSSES.has(fault.code)) this.#lostInARow++;
    const hopeless = (REFUSALS.has(fault.code) && !this.#answered) || this.#lostInARow >= LOST_IN_A_ROW;
    if (!hopeless || this.signal.aborted) return;
    this.fault = fault;
    this.#controller.abort();
  }
}
