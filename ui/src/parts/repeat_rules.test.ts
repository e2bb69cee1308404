import { expect, it } from "vitest";
import { repeatPresets } from "./repeat_rules";

it("repeats in usual ways", () => {
  const rules = repeatPresets("2026-11-30").map(({ rrule }) => rrule);
  expect(rules).toContain("FREQ=WEEKLY;BYDAY=MO");
  expect(rules).toContain("FREQ=MONTHLY;BYDAY=-1MO");
  expect(repeatPresets("2026-11-16").map(({ label }) => label)).toContain("Every month on the third Monday");
});
