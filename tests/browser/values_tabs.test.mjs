// The values tree in two tabs: what one does the other shows; the same field in both is a conflict that a person decides.
import assert from "node:assert/strict";
import { expectAccessible } from "./fixture/accessible.mjs";
import { picture, scene } from "./fixture/scene.mjs";
import { kNobodyAnswers } from "./fixture/watch.mjs";
import { item, serverHas, treeSays } from "./values_tree.mjs";

await scene("the values tree in two tabs", (test) => {
  test("a change in one tab appears in the other, which keeps the focus and what is being typed", async ({ newUser, open, note }) => {
    const { one, other } = await twoTabs(newUser, open);
    await item(one, "Shoes").click();
    await one.keyboard.press("F2");
    await one.keyboard.press("End");
    await one.keyboard.type(" and soc");

    const begun = Date.now();
    await item(other, "Race").click();
    await other.keyboard.press("Control+Enter");
    await one.getByRole("treeitem", { name: /^Race.*completed/ }).waitFor();
    note(`seen in the other tab after ${Date.now() - begun} ms, with the click that made it`);
    await item(other, "Shoes").click();
    await other.keyboard.press("Alt+ArrowDown"); // the line that is being typed in moves
    await one.waitForFunction(() => document.querySelectorAll("[role=treeitem]")[3]?.querySelector("input"));

    await one.keyboard.type("ks");
    await one.keyboard.press("Enter");
    await item(one, "Shoes and socks").waitFor();
    await item(other, "Shoes and socks").waitFor();
    await treeSays(other, ["1 Health", "2 Run", "3 Race", "3 Shoes and socks"]);
  });

  test("notes that are being typed stay when the tree changes", async ({ newUser, open }) => {
    const { one, other } = await twoTabs(newUser, open);
    await item(one, "Race").click();
    const notes = one.getByLabel("Notes");
    await notes.click();
    await one.keyboard.type("Half a sen");
    await item(other, "Run").click();
    await other.keyboard.press("F2");
    await other.keyboard.type("Running");
    await other.keyboard.press("Enter");
    await item(one, "Running").waitFor();
    await one.keyboard.type("tence.");
    assert.equal(await notes.inputValue(), "Half a sentence.");
    await one.reload();
    await item(one, "Race").click();
    assert.equal(await notes.inputValue(), "Half a sentence.", "A reload loses nothing either.");
    await notes.focus();
    await one.keyboard.press("Control+Enter");
    await item(other, "Race").click();
    await other.waitForFunction(() => document.querySelector("textarea")?.value === "Half a sentence.");
  });

  test("different fields are put together without a question", async ({ newUser, open }) => {
    const { ada, one, other } = await twoTabs(newUser, open);
    await item(one, "Race").click();
    await one.keyboard.press("F2");
    await one.keyboard.type("The race");
    await item(other, "Race").click();
    await other.keyboard.press("Control+Enter");
    await one.getByRole("treeitem", { name: /completed/ }).waitFor();
    await one.keyboard.press("Enter");
    await one.getByRole("treeitem", { name: /^The race.*completed/ }).waitFor();
    await other.getByRole("treeitem", { name: /^The race.*completed/ }).waitFor();
    assert.equal(await one.getByRole("dialog").count(), 0);
    const { nodes } = await ada.get("/api/values");
    assert.ok(nodes.find(({ title }) => title === "The race").completedAt);
  });

  test("the same title in both tabs is a conflict: mine, theirs or something else", async ({ newUser, open }) => {
    const { ada, one, other } = await twoTabs(newUser, open);
    const clash = async (mine, theirs) => {
      const line = one.getByRole("treeitem").nth(3);
      await line.click();
      await one.keyboard.press("F2");
      await one.keyboard.type(mine);
      await other.getByRole("treeitem").nth(3).click();
      await other.keyboard.press("F2");
      await other.keyboard.type(theirs);
      await other.keyboard.press("Enter");
      await serverHas(ada, (nodes) => nodes.some(({ title }) => title === theirs));
      await one.keyboard.press("Enter");
      const dialog = one.getByRole("dialog", { name: "Changed in two places" });
      await dialog.waitFor();
      return dialog;
    };

    const first = await clash("Race in Rome", "Race in Berlin");
    await first.getByText("Before: Race").waitFor();
    await first.getByRole("radio", { name: /Theirs/ }).waitFor();
    await expectAccessible(one);
    await picture(one, "values-conflict-wide-light");
    await first.getByRole("button", { name: "Save" }).click();
    await item(other, "Race in Rome").waitFor();

    const second = await clash("One", "Two");
    await second.getByRole("radio", { name: /Theirs/ }).check();
    await second.getByRole("button", { name: "Save" }).click();
    await item(one, "Two").waitFor();

    const third = await clash("Three", "Four");
    await third.getByLabel("Another title").fill("Three and four");
    await third.getByRole("button", { name: "Save" }).click();
    await item(other, "Three and four").waitFor();
    await item(one, "Three and four").waitFor();
  });

  test("a conflict that is closed stays above the tree, with what was typed", async ({ newUser, open }) => {
    const { ada, one } = await twoTabs(newUser, open);
    await item(one, "Race").click();
    await one.keyboard.press("F2");
    await one.keyboard.type("Mine");
    await ada.send("PATCH", "/api/values/nodes/race", { title: "Theirs" });
    await one.keyboard.press("Enter");
    await one.getByRole("dialog", { name: "Changed in two places" }).waitFor();
    await one.keyboard.press("Escape");
    const kept = one.getByRole("alert").filter({ hasText: "Mine" });
    await kept.getByRole("button", { name: "Choose" }).click();
    await one.getByRole("dialog").getByRole("button", { name: "Discard my change" }).click();
    await kept.waitFor({ state: "detached" });
    await item(one, "Theirs").waitFor();
  });

  test("without a connection changes wait, and are sent when it is back", async ({ newUser, open, allow }) => {
    const { ada, one } = await twoTabs(newUser, open);
    allow(kNobodyAnswers);
    await item(one, "Race").click();
    await one.context().setOffline(true);
    await one.keyboard.press("F2");
    await one.keyboard.type("Typed offline");
    await one.keyboard.press("Enter");
    await item(one, "Typed offline").waitFor();
    await one.keyboard.press("Control+Enter");
    await one.getByRole("treeitem", { name: /^Typed offline.*completed/ }).waitFor();
    await one.context().setOffline(false);
    await serverHas(ada, (nodes) => nodes.some((node) => node.title === "Typed offline" && node.completedAt));
    const { items } = await ada.get("/api/values/commits?limit=10");
    assert.equal(items.length, 3, "Each change is made once.");
  });
});

async function twoTabs(newUser, open) {
  const ada = await newUser();
  const add = (nodeId, nodeType, title, parentId) => ({ op: "add", nodeId, nodeType, title, ...(parentId ? { parentId } : {}) });
  await ada.post("/api/values/commits", {
    operations: [
      add("health", "DRIVER", "Health"),
      add("run", "MILESTONE", "Run", "health"),
      add("shoes", "ACTION", "Shoes", "run"),
      add("race", "ACTION", "Race", "run"),
    ],
  });
  const one = await open("/values", { as: ada });
  const other = await open("/values", { beside: one });
  for (const tab of [one, other]) await item(tab, "Race").waitFor();
  return { ada, one, other };
}
