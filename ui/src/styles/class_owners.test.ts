// The styles of a page stay when another page is opened: a class that two pages style looks different after the other one
// was visited.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const source = join(dirname(fileURLToPath(import.meta.url)), "..");
/** What these style is everybody's to adjust. */
const kShared = ["parts", "shell", "styles"];

function roomsOfClasses(): Map<string, Set<string>> {
  const rooms = new Map<string, Set<string>>();
  for (const room of readdirSync(source, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
    const folder = join(source, room.name);
    for (const file of readdirSync(folder).filter((name) => name.endsWith(".css"))) {
      const rules = readFileSync(join(folder, file), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
      for (const [, selector] of rules.matchAll(/([^{}]+)\{/g)) {
        if (selector!.trim().startsWith("@")) continue;
        for (const [, name] of selector!.matchAll(/\.([a-z][\w-]*)/gi)) rooms.set(name!, (rooms.get(name!) ?? new Set()).add(room.name));
      }
    }
  }
  return rooms;
}

it("every class is styled by one page at most, or shared by all", () => {
  const rooms = roomsOfClasses();
  expect(rooms.size).toBeGreaterThan(300);
  const owned = [...rooms].filter(([, users]) => users.size > 1 && !kShared.some((room) => users.has(room)));
  expect(owned.map(([name, users]) => `.${name}: ${[...users].join(", ")}`)).toEqual([]);
});
