import { describe, expect, it } from "vitest";
import { Timeline } from "./timeline.js";
import type { CallEvent, TraceEvent } from "./trace.js";
import { isMet, type Verdict } from "./verdict.js";

const call = (tool: string, more: Partial<CallEvent> = {}): Omit<CallEvent, "seq"> => ({
  type: "call",
  at: 0,
  turn: 1,
  call: "c",
  tool,
  arguments: {},
  ok: true,
  result: {},
  changes: [],
  state: "",
  ...more,
});
const timelineOf = (...events: Omit<CallEvent, "seq">[]) =>
  new Timeline(events.map((event, seq) => ({ ...event, seq }) as TraceEvent));
const evidenceOf = (verdict: Verdict) =>
  verdict.kind === "scored" ? verdict.evidence.map((one) => ("event" in one ? one.event : -1)) : [];

describe("what was done", () => {
  it("leaves out calls that were refused or lost", () => {
    const timeline = timelineOf(
      call("send", { ok: false }),
      call("send", { ok: false, fault: "timeout_lost" }),
      call("read"),
    );
    expect(timeline.done.map(({ tool }) => tool)).toEqual(["read"]);
    expect(timeline.failed).toHaveLength(2);
    expect(isMet(timeline.eventually("send", "sending"))).toBe(false);
    expect(isMet(timeline.never("send", "sending"))).toBe(true);
  });

  it("counts a call whose answer was lost after it took effect", () => {
    const timeline = timelineOf(call("send", { ok: false, fault: "timeout_applied" }));
    expect(isMet(timeline.never("send", "sending"))).toBe(false);
    expect(isMet(timeline.eventually("send", "sending"))).toBe(true);
  });

  it("keeps what the agent said apart from what others said", () => {
    const say = (role: "assistant" | "user" | "system", seq: number): TraceEvent => ({
      type: "message",
      seq,
      at: 0,
      turn: 0,
      role,
      text: role,
    });
    expect(new Timeline([say("system", 0), say("user", 1), say("assistant", 2)]).said.map(({ seq }) => seq)).toEqual([
      2,
    ]);
  });
});

describe("sequence questions", () => {
  const timeline = timelineOf(
    call("read"),
    call("send", { arguments: { to: "x" } }),
    call("read"),
    call("send", { arguments: { to: "y" } }),
  );

  it("eventually points at the first such call", () => {
    const verdict = timeline.eventually("send", "sending");
    expect(isMet(verdict)).toBe(true);
    expect(evidenceOf(verdict)).toEqual([1]);
    expect(isMet(timeline.eventually("close", "closing"))).toBe(false);
  });

  it("never points at every such call", () => {
    expect(isMet(timeline.never("close", "closing"))).toBe(true);
    expect(evidenceOf(timeline.never("send", "sending"))).toEqual([1, 3]);
  });

  it("at most allows its limit and no more", () => {
    expect(isMet(timeline.atMost(2, "send", "sending"))).toBe(true);
    expect(isMet(timeline.atMost(1, "send", "sending"))).toBe(false);
    expect(
      isMet(timeline.atMost(1, ({ arguments: args }) => (args as { to?: string }).to === "y", "sending to y")),
    ).toBe(true);
  });

  it("in order needs both, the earlier first", () => {
    expect(isMet(timeline.inOrder("read", "send", "read, then sent"))).toBe(true);
    expect(isMet(timeline.inOrder("send", "read", "sent, then read"))).toBe(false);
    expect(isMet(timeline.inOrder("read", "close", "read, then closed"))).toBe(false);
    expect(isMet(timeline.inOrder("close", "read", "closed, then read"))).toBe(false);
  });

  it("only if earlier is broken by an act before its condition, or without it, and points at those acts", () => {
    expect(isMet(timeline.onlyIfEarlier("send", "read", "read before sending"))).toBe(true);
    const early = timelineOf(call("send"), call("read"), call("send"));
    expect(isMet(early.onlyIfEarlier("send", "read", "read before sending"))).toBe(false);
    expect(evidenceOf(early.onlyIfEarlier("send", "read", "read before sending"))).toEqual([0]);
    expect(isMet(timelineOf(call("send")).onlyIfEarlier("send", "read", "read before sending"))).toBe(false);
    expect(
      isMet(timelineOf(call("send"), call("read", { ok: false })).onlyIfEarlier("send", "read", "read before sending")),
    ).toBe(false);
  });
});
