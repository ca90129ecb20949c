/** `windtunnel show ROLLOUT`: one rollout, a page of its timeline at a time, and its verdicts. Loads no more of the trace than it shows. */
import { findRollout, withStore } from "./data-directory.js";
import { EXIT } from "./exit-code.js";
import { parseCount } from "./option-values.js";
import { showEvent } from "./show-event.js";
import { showOutcome, showScore } from "./show-score.js";
import { toTerminalLine } from "./terminal-text.js";
import type { Verb } from "./verb.js";

interface ShowOptions {
  readonly from: number;
  readonly limit: number;
  readonly full?: boolean;
}

export const verb: Verb = {
  describe(command) {
    command
      .argument("<rollout>", "id of a rollout")
      .option("--from <n>", "first event to show", parseCount("--from", 0), 0)
      .option("--limit <n>", "events to show", parseCount("--limit"), 200)
      .option("--full", "cut nothing")
      .addHelpText(
        "after",
        `
Verdicts point at events by number and at rows by table/id.

Examples:
  $ windtunnel show ro-5f0c1d2e3a4b5c6d
  $ windtunnel show ro-5f0c1d2e3a4b5c6d --from 40 --limit 10 --full
  $ windtunnel show ro-5f0c1d2e3a4b5c6d --json | jq .score`,
      );
  },

  async perform(call) {
    const { args, output } = call;
    const { from, limit, full = false } = call.options as ShowOptions;
    return withStore(call, async (store) => {
      const rollout = findRollout(store, args[0]!);
      const events = await store.events(rollout.id, { from, limit });
      const scores = store.scores(rollout.id);
      const stored = scores.at(-1);
      const to = from + events.length;
      const more = to < rollout.eventCount;
      if (output.json) {
        output.result({
          rollout,
          score: stored?.score ?? null,
          scores,
          events,
          page: { from, to, of: rollout.eventCount, more },
        });
        return EXIT.done;
      }
      const { colors, width } = output;
      const { provenance, usage } = rollout;
      output.say(
        `${colors.bold(rollout.id)}  ${toTerminalLine(provenance.environment)} ${rollout.task}, attempt ${rollout.attempt}, by ${toTerminalLine(rollout.agent)}`,
      );
      output.say(
        colors.dim(
          `run ${rollout.run}; ${toTerminalLine(rollout.archetype)}; ${usage.turns} turns, ${usage.toolCalls} calls, ${rollout.eventCount} events; digest ${rollout.digest.slice(0, 16)}`,
        ),
      );
      output.say();
      for (const event of events) for (const line of showEvent(event, { colors, width, full })) output.say(line);
      if (from > 0 || more)
        output.say(
          colors.dim(
            `events ${from} to ${to - 1} of ${rollout.eventCount}${more ? `; next: windtunnel show ${rollout.id} --from ${to}` : ""}`,
          ),
        );
      output.say();
      if (stored !== undefined) for (const line of showScore(stored.score, colors)) output.say(line);
      for (const line of showOutcome(rollout.outcome, colors)) output.say(line);
      if (scores.length > 1)
        output.say(
          colors.dim(`${scores.length} scores are kept, one per rubric; the latest is shown (all with --json)`),
        );
      return EXIT.done;
    });
  },
};
