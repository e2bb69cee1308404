import { expect, it } from "vitest";
import { Versions } from "./versions";

it("sends a change on the outcome of the one before, but never on somebody else's", () => {
  const versions = new Versions();
  expect(versions.newest({ id: "a", version: 3 })).toBe(3);
  versions.note({ id: "a", version: 3 }, 4);
  versions.note({ id: "a", version: 4 }, 5);
  expect(versions.newest({ id: "a", version: 3 })).toBe(5);
  // Seen after somebody else had changed it.
  expect(versions.newest({ id: "a", version: 6 })).toBe(6);
  expect(versions.newest({ id: "b", version: 3 })).toBe(3);
  versions.note({ id: "b", version: 3 }, 3); // nothing changed: no circle
  expect(versions.newest({ id: "b", version: 3 })).toBe(3);
});

it("knows nothing of a thing that is gone when its id comes back", () => {
  const versions = new Versions();
  versions.note({ id: "a", version: 1 }, 2);
  versions.note({ id: "b", version: 1 }, 2);
  versions.forget("a");
  expect([versions.newest({ id: "a", version: 1 }), versions.newest({ id: "b", version: 1 })]).toEqual([1, 2]);
});
