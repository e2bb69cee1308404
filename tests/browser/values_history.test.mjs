// The history of the values tree: the timeline, old trees, differences, rolling back, names, export and import.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { expectAccessible } from "./fixture/accessible.mjs";
import { picture, scene } from "./fixture/scene.mjs";
import { item, treeSays } from "./values_tree.mjs";

await scene("the history of the values tree", (test) => {
  test("tells day by day what happened, and opens what each revision changed", async ({ newUser, open }) => {
    const ada = await newUser({ demo: true });
    await commit(ada, [{ op: "add", nodeId: "d", nodeType: "DRIVER", title: "Curiosity" }]); // demo data has no change on most days
    const page = await open("/values", { as: ada });
    await item(page, "Stay healthy").waitFor();
    await page.getByRole("link", { name: "History" }).click();
    await page.getByRole("heading", { name: "Today" }).waitFor();
    await page.getByRole("button", { name: /^Note the training/ }).first().click();
    // How often depends on the day of the week.
    await page.locator("ins", { hasText: /^\d+$/ }).first().waitFor();
    await page.locator("del", { hasText: /^\d+$/ }).first().waitFor();
    await expectAccessible(page);
    await page.getByRole("combobox", { name: "Which changes" }).selectOption("Completion");
    await page.getByRole("button", { name: /^Complete “Draw the slides”/ }).waitFor();
    await page.getByRole("button", { name: /^Note the training/ }).first().waitFor({ state: "detached" });
  });

  test("compares two revisions as a person wants to see it", async ({ newUser, open }) => {
    const ada = await newUser();
    const first = await build(ada);
    await commit(ada, [
      { op: "edit", nodeId: "race", title: "Run the race in spring", notes: "Ask Ben." },
      { op: "move", nodeId: "shoes", parentId: "sleep" },
      { op: "complete", nodeId: "tea" },
      { op: "add", nodeId: "new", nodeType: "ACTION", title: "Stretch", parentId: "run" },
      { op: "archive", nodeId: "old" },
    ]);
    const page = await open(`/values/compare/${first}/now`, { as: ada });
    const line = (text) => page.locator(".diff-node", { hasText: text });
    await line("Stretch").getByText("added").waitFor();
    await line("Shoes").getByText("moved").waitFor();
    await line("Shoes").getByText("from Health › Run to Health › Sleep").waitFor();
    await line("Tea").getByText("completed").waitFor();
    await line("Old").getByText("archived").waitFor();
    await line("race").locator("ins", { hasText: "in spring" }).waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Swap the two" }).click();
    await line("Stretch").getByText("taken back").waitFor();
  });

  test("rolls back with a preview, and undoes that", async ({ newUser, open }) => {
    const ada = await newUser();
    const first = await build(ada);
    await commit(ada, [{ op: "delete", nodeId: "run" }]);
    const page = await open(`/values/at/${first}`, { as: ada });
    await item(page, "Run").waitFor();
    await page.getByRole("button", { name: "Roll back to this" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.locator(".diff-node", { hasText: "Run" }).getByText("restored").first().waitFor();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Roll back" }).click();
    await page.waitForURL("**/values");
    await treeSays(page, ["1 Health", "2 Run", "3 Shoes", "3 race", "2 Sleep", "3 Tea", "3 Old"]);
    await page.getByText(/^Rolled back/).waitFor();
    await page.keyboard.press("Control+z");
    await treeSays(page, ["1 Health", "2 Sleep", "3 Tea", "3 Old"]);
    await page.getByRole("button", { name: "Redo", exact: true }).first().click();
    await treeSays(page, ["1 Health", "2 Run", "3 Shoes", "3 race", "2 Sleep", "3 Tea", "3 Old"]);
  });

  test("shows the tree as it was, step by step and by day, to be read only", async ({ newUser, open }) => {
    const ada = await newUser({ demo: true });
    const { items } = await ada.get("/api/values/commits?limit=5");
    const page = await open(`/values/at/${items[1].revId}`, { as: ada });
    await item(page, "Stay healthy").waitFor();
    assert.equal(await page.getByRole("button", { name: /^Add under/, includeHidden: true }).count(), 0);
    await item(page, "Run a half marathon").click();
    await page.getByText("Week 4 done.").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Previous revision" }).click();
    await page.waitForURL(`**/values/at/${items[2].revId}`);
    await page.getByRole("button", { name: "Next revision" }).click();
    await page.waitForURL(`**/values/at/${items[1].revId}`);
    await page.getByLabel("As it was on").fill(items[4].revTs.slice(0, 10));
    await page.waitForURL((url) => url.pathname.startsWith("/values/at/") && !url.pathname.endsWith(items[1].revId));
  });

  test("names a revision, and finds it by its name", async ({ newUser, open }) => {
    const ada = await newUser();
    const first = await build(ada);
    await commit(ada, [{ op: "complete", nodeId: "tea" }]);
    const page = await open("/values/history", { as: ada });
    await page.getByRole("button", { name: /^More for/, includeHidden: true }).last().click();
    await page.getByRole("menuitem", { name: "Name this revision…" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("The beginning");
    await page.keyboard.press("Enter");
    await page.locator(".commit", { hasText: "The beginning" }).waitFor();
    await page.getByRole("combobox", { name: "Named revisions" }).selectOption("The beginning");
    await page.waitForURL(`**/values/at/${first}`);
  });

  test("exports the whole history, which an empty account imports", async ({ newUser, open }) => {
    const ada = await newUser({ demo: true });
    const page = await open("/values", { as: ada });
    await item(page, "Stay healthy").waitFor();
    await page.getByRole("button", { name: "More", exact: true }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: "Export the whole history" }).click(),
    ]);
    const path = await download.path();
    assert.ok(readFileSync(path, "utf8").trim().split("\n").length > 20);

    const ben = await newUser();
    const empty = await open("/values", { as: ben });
    await empty.getByText("What matters to you?").waitFor();
    await empty.getByLabel("File to import").setInputFiles(path);
    await item(empty, "Stay healthy").waitFor();
    await empty.getByText(/^Imported \d+ revisions/).waitFor();
  });

  for (const [viewport, dark] of [["wide", false], ["wide", true], ["phone", false], ["phone", true]]) {
    test(`looks right and is accessible: ${viewport}, ${dark ? "dark" : "light"}`, async ({ newUser, open }) => {
      const ada = await newUser({ demo: true, displayName: "Ada Lovelace" });
      await commit(ada, [
        { op: "edit", nodeId: "marathon", title: "Run a marathon in spring", notes: "Week 5 done. Ask Ben to come along." },
        { op: "move", nodeId: "gift", parentId: "craft" },
        { op: "complete", nodeId: "run15" },
      ], "Plans for spring");
      const { items } = await ada.get("/api/values/commits?limit=20");
      const name = `${viewport === "wide" ? "wide" : "narrow"}-${dark ? "dark" : "light"}`;
      const page = await open("/values/history", { as: ada, viewport, dark });
      await page.getByRole("button", { name: /^Plans for spring/ }).click();
      await page.locator(".diff-node").first().waitFor();
      await page.locator(".commit-summary", { hasText: "added" }).first().waitFor();
      await page.evaluate(() => scrollTo(0, 0));
      await picture(page, `values-history-${name}`);
      await expectAccessible(page);
      await page.goto(new URL(`/values/compare/${items[14].revId}/now`, page.url()).href);
      await page.locator(".diff-node").first().waitFor();
      await picture(page, `values-diff-${name}`);
      await expectAccessible(page);
    });
  }
});

async function commit(user, operations, message) {
  const answer = await user.post("/api/values/commits", { operations, ...(message ? { message } : {}) });
  return answer.commit.revId;
}

function build(user) {
  const add = (nodeId, nodeType, title, parentId) => ({ op: "add", nodeId, nodeType, title, ...(parentId ? { parentId } : {}) });
  return commit(user, [
    add("health", "DRIVER", "Health"),
    add("run", "MILESTONE", "Run", "health"),
    add("shoes", "ACTION", "Shoes", "run"),
    add("race", "ACTION", "race", "run"),
    add("sleep", "MILESTONE", "Sleep", "health"),
    add("tea", "ACTION", "Tea", "sleep"),
    add("old", "ACTION", "Old", "sleep"),
  ]);
}
