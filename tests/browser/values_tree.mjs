// The values tree on a page, for tests.
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";

/** The line of a node, by its title. */
export function item(page, title) {
  return page.getByRole("treeitem", { name: new RegExp(`^${title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}, `) });
}

/** Waits until the tree has these lines: ["1 Health", "2 Run"] (level and title), from the top. */
export async function treeSays(page, lines) {
  await page.waitForFunction((wanted) => {
    const rows = [...document.querySelectorAll("[role=treeitem]")];
    const have = rows.map((row) => `${row.getAttribute("aria-level")} ${row.querySelector(".tree-title")?.textContent ?? "…"}`);
    return JSON.stringify(have) === JSON.stringify(wanted);
  }, lines).catch(async (failure) => {
    const have = await page.getByRole("treeitem").allTextContents();
    throw new Error(`The tree has ${JSON.stringify(have)}, not ${JSON.stringify(lines)}.`, { cause: failure });
  });
}

/** Waits until the server's tree is as the test wants it. */
export async function serverHas(user, isThere) {
  const end = Date.now() + 30_000;
  for (;;) {
    const tree = await user.get("/api/values?includeArchived=true");
    if (isThere(tree.nodes)) return;
    assert.ok(Date.now() < end, `The server has ${JSON.stringify(tree.nodes.map(({ title }) => title))}.`);
    await pause(40);
  }
}
