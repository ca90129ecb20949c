/**
 * Stores with some of their methods replaced, and one that never lets a secret through: what is committed is masked first, and rollouts
 * without one are passed on as they are. A rollout that held one no longer replays byte for byte: the value was never the world's.
 */
import type { Store } from "../store/store.js";
import { type Redact, redactValue } from "./secrets.js";

export function redactingStore(store: Store, redact: Redact | undefined): Store {
  if (redact === undefined) return store;
  return storeWith(store, {
    createRun: (run) => store.createRun(redactValue(run, redact)),
    commit: (run, rollouts) => store.commit(run, redactValue(rollouts, redact)),
    addScores: (scores) => store.addScores(redactValue(scores, redact)),
  });
}

/** `store`, with `methods` in place of its own. */
export function storeWith(store: Store, methods: Partial<Store>): Store {
  return new Proxy(store, {
    get(target, key) {
      const value: unknown = methods[key as keyof Store] ?? Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
