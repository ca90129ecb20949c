/**
 * User: the simulated person on the other side of the conversation. It hears what the agent says in words and answers, or leaves.
 * It never grades, and what it says never adds to reward.
 */
import type { Awaitable } from "./message.js";
import type { Random } from "./random.js";
import type { Task } from "./task.js";

export interface UserContext {
  readonly task: Task;
  readonly random: Random;
}

/** Answers one message; null means the person has left and the episode ends. */
export type Reply = (text: string) => Awaitable<string | null>;

export interface User {
  readonly name: string;
  /** False when the same words may get another answer (a language model, a person): a replay then takes the answers from the record. */
  readonly deterministic?: boolean;
  open(context: UserContext): Reply;
}

/** Defines a simulated user. */
export function defineUser(user: User): User {
  return user;
}
