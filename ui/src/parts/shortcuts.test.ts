import { describe, expect, it } from "vitest";
import { keyCaps, matchesStep, SequenceMatcher } from "./shortcuts";

const press = (key: string, more: Partial<Record<"ctrlKey" | "metaKey" | "altKey" | "shiftKey", boolean>> & { code?: string } = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...more,
});

describe("matchesStep", () => {
  it("takes modifiers exactly", () => {
    expect(matchesStep("k", press("k"), false)).toBe(true);
    expect(matchesStep("k", press("k", { ctrlKey: true }), false)).toBe(false);
    expect(matchesStep("mod+k", press("k", { ctrlKey: true }), false)).toBe(true);
    expect(matchesStep("mod+k", press("k", { metaKey: true }), true)).toBe(true);
    expect(matchesStep("mod+k", press("k", { ctrlKey: true }), true)).toBe(false);
    expect(matchesStep("shift+ArrowUp", press("ArrowUp"), false)).toBe(false);
    expect(matchesStep("shift+k", press("K", { shiftKey: true }), false)).toBe(true);
    expect(matchesStep("k", press("K", { shiftKey: true }), false)).toBe(false);
  });

  it("takes symbols however they are typed", () => {
    expect(matchesStep("?", press("?", { shiftKey: true }), false)).toBe(true);
    expect(matchesStep("?", press("?"), false)).toBe(true);
    expect(matchesStep("+", press("+", { shiftKey: true }), false)).toBe(true);
  });

  it("knows letters that alt changes", () => {
    expect(matchesStep("alt+p", press("π", { altKey: true, code: "KeyP" }), true)).toBe(true);
  });
});

describe("SequenceMatcher", () => {
  it("follows keys one after the other", () => {
    const matcher = new SequenceMatcher(false);
    matcher.note(press("g"), 0);
    expect(matcher.completes("g v")).toBe(false);
    matcher.note(press("v"), 400);
    expect(matcher.completes("g v")).toBe(true);
    expect(matcher.completes("v")).toBe(true);
    expect(matcher.completes("g t")).toBe(false);
  });

  it("forgets after a while", () => {
    const matcher = new SequenceMatcher(false);
    matcher.note(press("g"), 0);
    matcher.note(press("v"), 2000);
    expect(matcher.completes("g v")).toBe(false);
  });
});

it("knows what is printed on keys", () => {
  expect(keyCaps("g v")).toEqual(["G", "V"]);
  expect(keyCaps("ctrl+ArrowUp")).toEqual(["Ctrl", "↑"]);
});
