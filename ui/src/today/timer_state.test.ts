import { describe, expect, it } from "vitest";
import { breakMinutes, finish, fromText, isOver, leftMs, pause, resume, startTimer, timerText, titleWith, toText } from "./timer_state";

const minute = 60_000;
const work = { kind: "pomodoro" as const, actionId: "a", title: "Write", day: "2026-11-16", minutes: 25 };

describe("a timer", () => {
  const running = startTimer(work, 1000);

  it("counts down by itself", () => {
    expect(timerText(running, 1000)).toBe("25:00");
    expect(timerText(running, 1001)).toBe("25:00");
    expect(timerText(running, 2000)).toBe("24:59");
    expect(timerText(running, 1000 + 25 * minute - 1)).toBe("0:01");
    expect(isOver(running, 1000 + 25 * minute - 1)).toBe(false);
    expect(isOver(running, 1000 + 25 * minute)).toBe(true);
    expect(leftMs(running, 1000 + 99 * minute)).toBe(0);
  });

  it("stands still while it is paused, however often", () => {
    const paused = pause(running, 1000 + 10 * minute);
    expect(leftMs(paused, 1000 + 60 * minute)).toBe(15 * minute);
    expect(pause(paused, 1000 + 50 * minute)).toBe(paused);
    const again = resume(paused, 1000 + 60 * minute);
    expect(leftMs(again, 1000 + 61 * minute)).toBe(14 * minute);
    const twice = resume(pause(again, 1000 + 61 * minute), 1000 + 90 * minute);
    expect(leftMs(twice, 1000 + 90 * minute)).toBe(14 * minute);
  });

  it("can be finished early, also when it is paused", () => {
    expect(isOver(finish(running, 5 * minute), 5 * minute)).toBe(true);
    expect(isOver(finish(pause(running, 2 * minute), 5 * minute), 5 * minute)).toBe(true);
  });

  it("cannot be paused when it is over", () => {
    expect(pause(running, 1000 + 30 * minute).pausedAt).toBeUndefined();
  });

  it("survives as text, and nothing else is taken for one", () => {
    expect(fromText(toText(running))).toEqual(running);
    for (const text of [
      null,
      "",
      "{}",
      "null",
      "[]",
      '{"kind":"pomodoro"}',
      '{"kind":"nap","title":"","day":"","minutes":1,"startedAt":1}',
    ]) {
      expect(fromText(text)).toBeNull();
    }
  });
});

it("every fourth break is long", () => {
  expect([0, 1, 2, 3, 4, 5, 8].map(breakMinutes)).toEqual([5, 5, 5, 5, 15, 5, 15]);
});

it("stands in front of the title once", () => {
  const title = titleWith("Today · Cairn", "24:59");
  expect(title).toBe("24:59 · Today · Cairn");
  expect(titleWith(title, "24:58")).toBe("24:58 · Today · Cairn");
  expect(titleWith(titleWith(title, "Time is up"), null)).toBe("Today · Cairn");
});
