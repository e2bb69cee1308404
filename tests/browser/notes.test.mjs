// Notes: written, found, pinned, archived; shown as Markdown, never as HTML.
import assert from "node:assert/strict";
import { eventually } from "./calendar_items.mjs";
import { expectAccessible } from "./fixture/accessible.mjs";
import { hold, picture, scene } from "./fixture/scene.mjs";

const addNote = (user, title, body, more = {}) => user.post("/api/nexus/notes", { title, body, ...more });
const titlesOf = async (user, query = "") => (await user.get(`/api/nexus/notes${query}`)).items.map(({ title }) => title);
const eventuallyTitles = (user, wanted, query) => eventually(() => titlesOf(user, query), (titles) => assert.deepEqual(titles, wanted));
const note = (page, name) => page.getByRole("article", { name, exact: true });

await scene("the notes page", (test) => {
  test("writes, pins, archives and brings back", async ({ newUser, open }) => {
    const ada = await newUser();
    const page = await open("/notes", { as: ada });
    await page.getByRole("button", { name: "Write a note" }).click();
    const dialog = page.getByRole("dialog", { name: "New note" });
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "New note" }).click();
    await dialog.getByLabel("Title").fill("Shopping");
    await dialog.getByLabel("Text", { exact: true }).fill("- [x] bread\n- [ ] **milk**");
    await dialog.getByLabel("Tags").fill("home");
    await expectAccessible(page);
    await dialog.getByText("Preview", { exact: true }).click();
    await dialog.locator("strong", { hasText: "milk" }).waitFor();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Save" }).click();
    await note(page, "Shopping").locator("strong", { hasText: "milk" }).waitFor();
    await eventuallyTitles(ada, ["Shopping"]);

    await addNote(ada, "Ideas", "later");
    await note(page, "Ideas").waitFor();
    // The newest is first, but two of one second lie in any order: the last one is pinned.
    const shown = () => page.locator(".note-name").allTextContents();
    const [first, last] = await eventually(shown, (titles) => assert.deepEqual([...titles].sort(), ["Ideas", "Shopping"]));
    await page.getByRole("button", { name: `Pin ${last}` }).click();
    await eventually(shown, (titles) => assert.deepEqual(titles, [last, first]));
    await eventuallyTitles(ada, [last, first]);

    await page.getByRole("button", { name: "More for Ideas" }).click();
    await page.getByRole("menuitem", { name: "Archive" }).click();
    await eventuallyTitles(ada, ["Shopping"]);
    await page.getByRole("button", { name: "Undo" }).click();
    await note(page, "Ideas").waitFor();
    await page.getByRole("button", { name: "More for Ideas" }).click();
    await page.getByRole("menuitem", { name: "Archive" }).click();
    await page.getByText("Archive", { exact: true }).click();
    await note(page, "Ideas").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "More for Ideas" }).click();
    await page.getByRole("menuitem", { name: "Unarchive" }).click();
    await page.getByRole("heading", { name: "The archive is empty" }).waitFor();
    await eventually(() => titlesOf(ada), (titles) => assert.deepEqual(titles.sort(), ["Ideas", "Shopping"]));
  });

  test("does all of it by keys", async ({ newUser, open }) => {
    const ada = await newUser();
    await addNote(ada, "First", "one");
    const page = await open("/notes", { as: ada });
    const { keyboard } = page;
    await note(page, "First").waitFor();
    await keyboard.press("n");
    await page.getByRole("dialog", { name: "New note" }).waitFor();
    await keyboard.type("Second");
    await keyboard.press("Control+Enter");
    await note(page, "Second").waitFor();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await keyboard.press("j");
    await keyboard.press("j");
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    const last = await focused();
    const other = last === "First" ? "Second" : "First";
    await keyboard.press("p");
    await eventuallyTitles(ada, [last, other]);
    assert.equal(await focused(), last, "the focus goes along");
    await keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Note" });
    await dialog.getByLabel("Text", { exact: true }).fill("changed");
    // What is typed is not lost by accident.
    await keyboard.press("Escape");
    await page.getByRole("alertdialog", { name: "Discard what you typed?" }).getByRole("button", { name: "Cancel" }).click();
    assert.equal(await dialog.getByLabel("Text", { exact: true }).inputValue(), "changed");
    await keyboard.press("Control+Enter");
    await note(page, last).getByText("changed").waitFor();
    // The text is shown behind the dialog before the server has answered.
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: `Open ${last}` }).focus();
    await keyboard.press("Delete");
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).press("Enter");
    await eventuallyTitles(ada, [other]);
  });

  test("works with notes the moment they are written", async ({ newUser, open }) => {
    const ada = await newUser();
    await addNote(ada, "Old", "one", { isPinned: true });
    const page = await open("/notes", { as: ada });
    await note(page, "Old").waitFor();
    // What the server has is not read again before all of it is done.
    const letGo = await hold(page, "GET", "**/api/nexus/notes");
    await page.keyboard.press("n");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Title").fill("New");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Pin New" }).click();
    await page.getByRole("button", { name: "Open New" }).press("Enter");
    await dialog.getByLabel("Title").fill("Newer");
    await page.keyboard.press("Control+Enter");
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Open Newer" }).focus();
    await page.evaluate(() => (window.made = document.activeElement));
    letGo();
    await eventuallyTitles(ada, ["Newer", "Old"]);
    await addNote(ada, "Another", "two");
    await note(page, "Another").waitFor();
    assert.ok(await page.evaluate(() => document.activeElement === window.made), "it is the same row as before");

    // Searching finds it as it is shown, and what is undone is the server's.
    await page.getByLabel("Search the notes").fill("newer");
    await page.getByRole("list", { name: "Notes found" }).getByRole("button", { name: "Unpin Newer" }).waitFor();
    await page.getByRole("button", { name: "Open Newer" }).press("a");
    await eventually(() => titlesOf(ada), (titles) => assert.deepEqual(titles.sort(), ["Another", "Old"]));
    await page.getByRole("button", { name: "Undo" }).click();
    await eventually(() => titlesOf(ada), (titles) => assert.deepEqual(titles.sort(), ["Another", "Newer", "Old"]));
  });

  test("is found by words and by tags", async ({ newUser, open }) => {
    const ada = await newUser();
    await addNote(ada, "Lisbon", "Trams and tiles", { tags: ["travel"] });
    await addNote(ada, "Bread", "Flour, water, salt", { tags: ["home", "food"] });
    await addNote(ada, "Soup", "Leeks", { tags: ["food"] });
    const page = await open("/notes", { as: ada });
    await note(page, "Soup").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("til");
    await note(page, "Bread").waitFor({ state: "detached" });
    await note(page, "Lisbon").waitFor();
    await expectAccessible(page);
    await page.getByRole("searchbox").fill("zebra");
    await page.getByRole("heading", { name: "No notes found" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("navigation", { name: "Tags" }).getByRole("button", { name: /^food/ }).click();
    await note(page, "Lisbon").waitFor({ state: "detached" });
    assert.deepEqual((await page.locator(".note-name").allTextContents()).sort(), ["Bread", "Soup"]);
    await page.reload();
    await note(page, "Bread").waitFor();
    assert.equal(await note(page, "Lisbon").count(), 0);
  });

  test("shows Markdown, and nothing of it as HTML", async ({ newUser, open }) => {
    const ada = await newUser();
    await addNote(ada, "Evil", '<img src=x onerror="document.title=\'stolen\'"> <b>bold</b>\n\n[press](javascript:alert(1)) [good](https://good.example/)\n\n<script>alert(1)</script>');
    await addNote(ada, "Good", "# Head\n\nA *word* and `code`.\n\n1. one\n2. two\n\n> quote\n\n```\n<pre>\n```");
    const page = await open("/notes", { as: ada });
    const evil = note(page, "Evil");
    await evil.getByText("<b>bold</b>").waitFor();
    assert.equal(await evil.locator("img, b, script").count(), 0);
    assert.deepEqual(await evil.locator(".markdown a").evaluateAll((links) => links.map((link) => link.getAttribute("href"))), ["https://good.example/"]);
    const good = note(page, "Good");
    for (const [tag, text] of [["h3", "Head"], ["em", "word"], ["ol li", "two"], ["blockquote", "quote"], ["pre", "<pre>"]]) await good.locator(tag, { hasText: text }).first().waitFor();
    await expectAccessible(page);
  });

  test("follows others, and keeps what was typed when they were faster", async ({ newUser, open, allow }) => {
    const ada = await newUser();
    const { noteId } = await addNote(ada, "Plan", "old");
    const page = await open("/notes", { as: ada });
    await page.getByRole("button", { name: "Open Plan" }).click();
    const dialog = page.getByRole("dialog", { name: "Note" });
    await dialog.getByLabel("Text", { exact: true }).fill("mine");
    await ada.send("PATCH", `/api/nexus/notes/${noteId}`, { body: "theirs" }, { "If-Match": '"1"' });
    await note(page, "Plan").getByText("theirs").waitFor();
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("This note was changed elsewhere in the meantime.").waitFor();
    assert.equal(await dialog.getByLabel("Text", { exact: true }).inputValue(), "mine");
    await dialog.getByRole("button", { name: "Save mine anyway" }).click();
    await dialog.waitFor({ state: "hidden" });
    await note(page, "Plan").getByText("mine").waitFor();

    allow(/ERR_INTERNET_DISCONNECTED|WebSocket/);
    await page.context().setOffline(true);
    await page.getByRole("button", { name: "Pin Plan" }).click();
    await page.getByRole("button", { name: "Unpin Plan" }).waitFor();
    await page.context().setOffline(false);
    await eventually(() => ada.get(`/api/nexus/notes/${noteId}`), ({ isPinned }) => assert.equal(isPinned, true));
  });

  test("looks well", async ({ newUser, open }) => {
    const ada = await newUser({ displayName: "Ada" });
    await addNote(ada, "Reading list", "- *The Dispossessed*\n- *Invisible Cities*\n- [SQLite's testing](https://sqlite.org/testing.html)", { tags: ["books"] });
    await addNote(ada, "Sourdough", "## Day one\n\n1. 100 g starter, **300 g** water\n2. 450 g flour, 9 g salt\n3. Fold every half hour\n\n> Cold kitchen: give it another hour.", { tags: ["food", "home"] });
    await addNote(ada, "", "Ask Bo whether the workshop can begin at ten.");
    await addNote(ada, "Backup of the photographs", "```\nrsync -a photos/ nas:/photos\n```\nEvery **first Sunday**.", { tags: ["home"] });
    await addNote(ada, "Lisbon", "- [x] train\n- [x] hotel near *Alfama*\n- [ ] tram 28, early\n- [ ] tiles for Mia", { tags: ["travel"], isPinned: true });
    for (const [viewport, width] of [["wide", "wide"], ["phone", "narrow"]]) {
      for (const dark of [false, true]) {
        const page = await open("/notes", { as: ada, viewport, dark });
        await note(page, "Sourdough").waitFor();
        await expectAccessible(page);
        await picture(page, `notes-${width}-${dark ? "dark" : "light"}`);
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wider <= 0, `${wider} px wider than the screen`);
      }
    }
  });
});
