import { describe, expect, it } from "vitest";
import { deliveryWords, type Delivery } from "./delivery_words";
import { joinReports, placeWords, reasonWords, reportWords, tooLargeWords, unlisted, type ImportReport } from "./import_words";

const now = new Date("2026-11-16T12:00:00Z");

const delivery = (more: Partial<Delivery>): Delivery => ({
  at: "2026-11-16T11:55:00Z",
  outcome: "DELIVERED",
  reminderId: "rem_1",
  attempts: 1,
  ...more,
});

describe("deliveryWords", () => {
  it("says when it was delivered, and whether at once", () => {
    expect(deliveryWords(delivery({}), now)).toBe("The last reminder was delivered 5 minutes ago.");
    expect(deliveryWords(delivery({ attempts: 3 }), now)).toBe("The last reminder was delivered 5 minutes ago, at attempt 3.");
  });

  it("says why it was not, and what comes next", () => {
    expect(deliveryWords(delivery({ outcome: "RETRYING", reason: "the answer was 500" }), now)).toBe(
      "The last reminder could not be delivered 5 minutes ago. The answer was 500. It was tried once; Cairn keeps trying for up to a day.",
    );
    expect(deliveryWords(delivery({ outcome: "GIVEN_UP", reason: "The answer was 410", attempts: 2 }), now)).toBe(
      "The last reminder was given up 5 minutes ago. The answer was 410. It was tried 2 times.",
    );
    expect(deliveryWords(delivery({ outcome: "GIVEN_UP" }), now)).toBe("The last reminder was given up 5 minutes ago. It was tried once.");
  });
});

const report = (more: Partial<ImportReport>): ImportReport => ({
  created: 0,
  updated: 0,
  unchanged: 0,
  skipped: 0,
  remaining: 0,
  notUnderstood: [],
  notUnderstoodTotal: 0,
  ...more,
});

describe("an import", () => {
  it("is told by what there was of it", () => {
    expect(reportWords(report({ created: 3, skipped: 1 }))).toBe("3 created, 1 skipped.");
    expect(reportWords(report({ created: 1, updated: 2, unchanged: 3, skipped: 4 }))).toBe("1 created, 2 updated, 3 unchanged, 4 skipped.");
    expect(reportWords(report({}))).toBe("The file was empty.");
  });

  it("names the place of what was not understood", () => {
    const note = { line: 7, component: "VEVENT", property: "RRULE", reason: "a second rule is not understood" };
    expect(placeWords(note)).toBe("Line 7, VEVENT, RRULE");
    expect(placeWords({ ...note, property: "" })).toBe("Line 7, VEVENT");
    expect(placeWords({ ...note, component: "", property: "" })).toBe("Line 7");
    expect(reasonWords(note)).toBe("A second rule is not understood.");
    expect(unlisted(report({ notUnderstood: [note], notUnderstoodTotal: 5 }))).toBe(4);
    expect(unlisted(report({ notUnderstood: [note], notUnderstoodTotal: 1 }))).toBe(0);
  });

  it("counts what was done in several goes once", () => {
    const first = report({ created: 10, updated: 2, unchanged: 1, remaining: 5 });
    expect(joinReports(null, first)).toBe(first);
    const second = report({ created: 4, updated: 1, unchanged: 13, skipped: 1 });
    expect(joinReports(first, second)).toEqual(report({ created: 14, updated: 3, unchanged: 1, skipped: 1 }));
  });

  it("is not begun with a file that is refused by its size", () => {
    expect(tooLargeWords(5 * 1024 * 1024)).toBeUndefined();
    expect(tooLargeWords(5 * 1024 * 1024 + 1)).toBe("The file is 5.1 MB; the limit is 5 MB. Export fewer years or calendars at a time.");
  });
});
