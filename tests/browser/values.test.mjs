// The values tree: building it by keyboard and by mouse, completing, undoing, searching, small screens, screen readers.
import assert from "node:assert/strict";
import { expectAccessible } from "./fixture/accessible.mjs";
import { picture, scene } from "./fixture/scene.mjs";
import { item, serverHas, treeSays } from "./values_tree.mjs";

await scene("the values page", (test) => {
  test("a newcomer adds a driver, milestones and actions by keyboard alone", async ({ newUser, open }) => {
    const ada = await newUser();
    const page = await open("/values", { as: ada });
    await page.getByRole("button", { name: "Add your first driver" }).press("Enter");
    await page.keyboard.type("Health");
    await page.keyboard.press("Enter"); // the next driver's line
    await page.keyboard.press("Tab"); // under Health instead
    await page.keyboard.type("Run");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Control+m"); // an action
    await page.keyboard.type("Buy shoes");
    await page.keyboard.press("Enter");
    await page.keyboard.type("Run 5 km");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Shift+Tab"); // out again
    await page.keyboard.press("Control+m");
    await page.keyboard.type("Sleep");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await treeSays(page, ["1 Health", "2 Run", "3 Buy shoes", "3 Run 5 km", "2 Sleep"]);
    const wanted = { Health: "DRIVER", Run: "MILESTONE", "Buy shoes": "ACTION", "Run 5 km": "ACTION", Sleep: "MILESTONE" };
    await serverHas(ada, (nodes) => Object.entries(wanted).every(([title, type]) => nodes.some((node) => node.title === title && node.nodeType === type)));
  });

  test("a newcomer fills the account with demo data", async ({ newUser, open }) => {
    const ada = await newUser();
    const page = await open("/values", { as: ada });
    const fill = page.getByRole("button", { name: "Add demo data" });
    await fill.waitFor();
    await expectAccessible(page);
    await fill.click();
    await item(page, "Stay healthy").waitFor();
  });

  test("keys move, rename, complete, archive and undo", async ({ newUser, open }) => {
    const { ada, page } = await small(newUser, open);
    await item(page, "Shoes").click();
    await page.keyboard.press("Alt+ArrowDown");
    await treeSays(page, ["1 Health", "2 Run", "3 Race", "3 Shoes", "2 Sleep"]);
    await page.keyboard.press("Shift+Tab");
    await treeSays(page, ["1 Health", "2 Run", "3 Race", "2 Shoes", "2 Sleep"]);
    await page.keyboard.press("Tab");
    await treeSays(page, ["1 Health", "2 Run", "3 Race", "3 Shoes", "2 Sleep"]);
    assert.equal(await focusedTitle(page), "Shoes", "The line keeps the focus wherever it goes.");

    await page.keyboard.press("F2");
    await page.keyboard.type("New shoes");
    await page.keyboard.press("Enter");
    await item(page, "New shoes").waitFor();
    await page.keyboard.press("B"); // typing begins a new title
    await page.keyboard.type("oots");
    await page.keyboard.press("Escape");
    await item(page, "New shoes").waitFor();

    await page.keyboard.press("Control+Enter");
    await page.getByRole("treeitem", { name: /^New shoes.*completed/ }).waitFor();
    await page.keyboard.press("Control+z");
    await page.getByText(/^Undone: “New shoes” reopened/).waitFor();
    await page.getByRole("treeitem", { name: "New shoes, action", exact: true }).waitFor();
    await page.keyboard.press("Control+Shift+z");
    await page.getByRole("treeitem", { name: /^New shoes.*completed/ }).waitFor();

    await page.keyboard.press("Delete");
    await item(page, "New shoes").waitFor({ state: "detached" });
    await page.getByText("Archived “New shoes”.").waitFor();
    await page.getByRole("button", { name: "Undo", exact: true }).last().click();
    await item(page, "New shoes").waitFor();
    const { nodes } = await ada.get("/api/values?includeArchived=true");
    assert.equal(nodes.find(({ title }) => title === "New shoes").archived, false);
  });

  test("arrows walk, open and close; what is closed stays closed", async ({ newUser, open }) => {
    const { page } = await small(newUser, open);
    await item(page, "Health").click();
    await page.keyboard.press("ArrowRight");
    assert.equal(await focusedTitle(page), "Run");
    await page.keyboard.press("ArrowLeft");
    await treeSays(page, ["1 Health", "2 Run", "2 Sleep"]);
    await page.keyboard.press("End");
    assert.equal(await focusedTitle(page), "Sleep");
    await page.keyboard.press("ArrowLeft");
    assert.equal(await focusedTitle(page), "Health");
    await page.reload();
    await treeSays(page, ["1 Health", "2 Run", "2 Sleep"]);
  });

  test("the mouse drags lines between, inside and never where they may not go", async ({ newUser, open }) => {
    const { page } = await small(newUser, open);
    await drag(page, "Shoes", "Sleep", 0.5);
    await treeSays(page, ["1 Health", "2 Run", "3 Race", "2 Sleep", "3 Shoes"]);
    await drag(page, "Shoes", "Race", 0.1);
    await treeSays(page, ["1 Health", "2 Run", "3 Shoes", "3 Race", "2 Sleep"]);

    await drag(page, "Run", "Race", 0.5, { drop: false });
    await page.keyboard.press("Escape"); // cancels
    await page.mouse.up();
    await drag(page, "Race", "Health", 0.05, { drop: false });
    await page.getByText("Only drivers can be at the top.").waitFor();
    await page.mouse.up();
    await treeSays(page, ["1 Health", "2 Run", "3 Shoes", "3 Race", "2 Sleep"]);
  });

  test("the mouse completes, adds, and opens the menu of a line", async ({ newUser, open }) => {
    const { page } = await small(newUser, open);
    await item(page, "Race").locator("[data-act=complete]").click();
    await page.getByRole("treeitem", { name: /^Race.*completed/ }).waitFor();
    await item(page, "Shoes").locator("[data-act=complete]").click();
    await page.getByText("All actions of “Run” are done.").waitFor();
    await page.getByRole("button", { name: "Complete it" }).click();
    await page.getByRole("treeitem", { name: /^Run.*completed/ }).waitFor();

    await item(page, "Sleep").hover();
    await page.getByRole("button", { name: "Add under Sleep", includeHidden: true }).click();
    await page.keyboard.type("Blinds");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await item(page, "Blinds").click({ button: "right" });
    await page.getByRole("menuitem", { name: "Move to…" }).click();
    await page.getByRole("combobox").fill("run");
    await page.keyboard.press("Enter");
    await treeSays(page, ["1 Health", "2 Run", "3 Shoes", "3 Race", "3 Blinds", "2 Sleep"]);
  });

  test("the details have notes, dates, parents and history", async ({ newUser, open }) => {
    const { ada, page } = await small(newUser, open);
    await item(page, "Race").click();
    const panel = page.getByRole("complementary", { name: "Details" });
    await panel.getByLabel("Notes").fill("In spring.");
    await panel.getByLabel("Notes").press("Control+Enter");
    await panel.getByText("Note on “Race”").waitFor();
    await panel.getByRole("button", { name: "Link to another" }).click();
    await page.getByRole("option", { name: /Sleep/ }).click();
    await treeSays(page, ["1 Health", "2 Run", "3 Shoes", "3 Race", "2 Sleep", "3 Race"]);
    await panel.getByRole("button", { name: "Unlink from Run" }).click();
    await treeSays(page, ["1 Health", "2 Run", "3 Shoes", "2 Sleep", "3 Race"]);
    await panel.getByRole("button", { name: "Archive" }).click();
    await item(page, "Race").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Show archived" }).click();
    await item(page, "Race").click();
    await panel.getByRole("button", { name: "Restore" }).click();
    await panel.getByRole("button", { name: "Complete" }).waitFor();
    const { nodes } = await ada.get("/api/values");
    assert.equal(nodes.find(({ title }) => title === "Race").notes, "In spring.");
  });

  test("the search shows what is found and the way to it", async ({ newUser, open }) => {
    const ada = await newUser({ demo: true });
    const page = await open("/values", { as: ada });
    await item(page, "Stay healthy").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("blinds");
    await treeSays(page, ["1 Stay healthy", "2 Sleep seven hours", "3 Mount the blinds"]);
    await page.keyboard.press("ArrowDown");
    assert.equal(await focusedTitle(page), "Mount the blinds");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await item(page, "Grow in my craft").waitFor();
    await page.keyboard.type("xyzzy");
    await page.getByText(/Nothing has “xyzzy”/).waitFor();
  });

  test("a refused change says why where it happened, and keeps what was typed", async ({ newUser, open }) => {
    const { page } = await small(newUser, open);
    await item(page, "Race").click();
    await page.route("**/api/values/commits", (route) =>
      route.fulfill({ status: 422, contentType: "application/problem+json", body: JSON.stringify({ code: "bad-title", detail: "No such titles" }) }),
    );
    await page.keyboard.press("F2");
    await page.keyboard.type("A title that took long");
    await page.keyboard.press("Enter");
    const failed = page.getByRole("alert").filter({ hasText: "A title that took long" });
    await failed.getByText("No such titles.").waitFor();
    await item(page, "Race").waitFor();
    await expectAccessible(page);
    await page.unroute("**/api/values/commits");
    await failed.getByRole("button", { name: "Try again" }).click();
    await item(page, "A title that took long").waitFor();
    await failed.waitFor({ state: "detached" });
  });

  test("a thousand nodes are there, and only those near the window are drawn", async ({ newUser, open }) => {
    const ada = await newUser();
    const operations = [{ op: "add", nodeId: "d", nodeType: "DRIVER", title: "All" }];
    for (let index = 0; index < 999; ++index) {
      operations.push({ op: "add", nodeId: `a${index}`, nodeType: "ACTION", title: `Action ${index}`, parentId: "d" });
    }
    await ada.post("/api/values/commits", { operations });
    const page = await open("/values", { as: ada });
    await item(page, "Action 3").waitFor();
    assert.ok((await page.getByRole("treeitem").count()) < 120);
    assert.equal(await page.getByRole("treeitem", { name: /^Action 3,/ }).getAttribute("aria-setsize"), "999");
    await item(page, "Action 3").click();
    await page.keyboard.press("End");
    await page.waitForFunction(() => document.activeElement?.textContent?.includes("Action 998"));
    await page.keyboard.press("Alt+ArrowUp");
    await page.waitForFunction(() => document.activeElement?.getAttribute("aria-posinset") === "998");
  });

  for (const [viewport, dark] of [["wide", false], ["wide", true], ["phone", false], ["phone", true]]) {
    test(`looks right and is accessible: ${viewport}, ${dark ? "dark" : "light"}`, async ({ newUser, open }) => {
      const ada = await newUser({ demo: true, displayName: "Ada Lovelace" });
      const page = await open("/values", { as: ada, viewport, dark });
      const marathon = item(page, "Run a half marathon");
      await marathon.waitFor();
      if (viewport === "wide") await marathon.click();
      if (viewport === "wide") await page.getByText("Note the training").first().waitFor();
      await page.evaluate(() => scrollTo(0, 0));
      await picture(page, `values-${viewport === "wide" ? "wide" : "narrow"}-${dark ? "dark" : "light"}`);
      await expectAccessible(page);
    });
  }

  test("on a phone a tap opens the details as a sheet, and adding works", async ({ newUser, open }) => {
    const ada = await newUser({ demo: true });
    const page = await open("/values", { as: ada, viewport: "phone" });
    await item(page, "Run a half marathon").tap();
    const sheet = page.getByRole("dialog", { name: "Milestone" });
    await sheet.getByText("Note the training").first().waitFor();
    await expectAccessible(page);
    await picture(page, "values-details-narrow-light");
    await sheet.getByRole("button", { name: "Complete" }).tap();
    await sheet.getByRole("button", { name: "Reopen" }).waitFor();
    await sheet.getByRole("button", { name: "Close" }).tap();
    await page.getByRole("button", { name: "Add under Run a half marathon", includeHidden: true }).tap();
    await page.keyboard.type("Stretch");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await item(page, "Stretch").waitFor();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overflow <= 0, `The page is ${overflow} px too wide.`);
  });

  test("all keys are in the help", async ({ newUser, open }) => {
    const { page } = await small(newUser, open);
    await item(page, "Race").click();
    await page.keyboard.press("?");
    for (const text of ["New line below", "Move in, under the milestone above", "Move up", "Complete or reopen", "Archive", "Redo"]) {
      await page.getByRole("dialog").getByText(text, { exact: true }).waitFor();
    }
  });
});

async function small(newUser, open) {
  const ada = await newUser();
  const add = (nodeId, nodeType, title, parentId) => ({ op: "add", nodeId, nodeType, title, ...(parentId ? { parentId } : {}) });
  await ada.post("/api/values/commits", {
    operations: [
      add("health", "DRIVER", "Health"),
      add("run", "MILESTONE", "Run", "health"),
      add("shoes", "ACTION", "Shoes", "run"),
      add("race", "ACTION", "Race", "run"),
      add("sleep", "MILESTONE", "Sleep", "health"),
    ],
  });
  const page = await open("/values", { as: ada });
  await item(page, "Race").waitFor();
  return { ada, page };
}

async function focusedTitle(page) {
  return page.evaluate(() => document.activeElement?.querySelector(".tree-title")?.textContent ?? null);
}

/** From the middle of one line to a height of another, in steps as a hand does. */
async function drag(page, from, to, part, { drop = true } = {}) {
  const start = await item(page, from).locator(".tree-title").boundingBox();
  const end = await item(page, to).boundingBox();
  const x = start.x + 8;
  await page.mouse.move(x, start.y + start.height / 2);
  await page.mouse.down();
  await page.mouse.move(x, start.y + start.height / 2 + 8, { steps: 3 });
  await page.mouse.move(x, end.y + end.height * part, { steps: 8 });
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  if (drop) await page.mouse.up();
}
