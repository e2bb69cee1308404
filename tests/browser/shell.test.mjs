// The frame of all pages: in and out, around, by keys alone, on a phone, without a connection.
import assert from "node:assert/strict";
import { eventually } from "./calendar_items.mjs";
import { expectAccessible } from "./fixture/accessible.mjs";
import { scene } from "./fixture/scene.mjs";
import { kNobodyAnswers } from "./fixture/watch.mjs";

const kPassword = "a-long-enough-passphrase";

await scene("the shell", (test) => {
  test("a newcomer signs up and is invited to begin", async ({ open }) => {
    const page = await open("/");
    await page.waitForURL("**/sign-in");
    await page.getByRole("link", { name: "Create account" }).waitFor();
    assert.equal(await page.title(), "Sign in · Cairn");
    await page.getByRole("link", { name: "Create account" }).click();
    await page.getByLabel("Your name").fill("Grace");
    await page.getByLabel("E-mail address").fill("grace@example.com");
    await page.getByLabel("Password").fill(kPassword);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.waitForURL("**/values");
    await page.getByRole("button", { name: /demo data/i }).first().waitFor();
    await expectAccessible(page);
  });

  test("errors of the forms are said at their fields", async ({ newUser, open }) => {
    const ada = await newUser();
    const page = await open("/sign-up");
    await page.getByLabel("E-mail address").fill("nobody");
    await page.getByLabel("Password").fill("short");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.locator("[aria-invalid=true]").first().waitFor();
    assert.equal(await page.getByLabel("E-mail address").evaluate((field) => field === document.activeElement), true);
    await expectAccessible(page);

    await page.getByLabel("E-mail address").fill(ada.email);
    await page.getByLabel("Password").fill("another-long-passphrase");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("alert").filter({ hasText: "There seems to be an account" }).waitFor();
    assert.equal(await page.getByLabel("Password").inputValue(), "another-long-passphrase");
  });

  test("signing in leads to where one wanted to go, signing out leaves nothing", async ({ newUser, open }) => {
    const ada = await newUser({ displayName: "Ada" });
    const page = await open("/account");
    await page.waitForURL("**/sign-in?next=%2Faccount");
    await page.getByLabel("E-mail address").fill(ada.email);
    await page.getByLabel("Password").fill("wrong-passphrase");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").waitFor();
    assert.equal(await page.getByLabel("E-mail address").inputValue(), ada.email);

    await page.getByLabel("Password").fill(kPassword);
    await page.getByLabel("Password").press("Enter");
    await page.getByRole("heading", { name: "Account", level: 1 }).waitFor();
    await page.getByText(ada.email).first().waitFor();
    const tab = await open("/data", { beside: page });
    await tab.getByRole("heading", { name: "Data", level: 1 }).waitFor();

    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.waitForURL("**/sign-in");
    await tab.waitForURL("**/sign-in**"); // in every tab
    await page.goBack();
    await page.waitForURL("**/sign-in?next=**");
    assert.equal(await page.getByText(ada.email).count(), 0);
  });

  test("the theme is chosen, kept, and followed by other tabs", async ({ newUser, open }) => {
    const page = await open("/account", { as: await newUser() });
    const tab = await open("/account", { beside: page });
    const isDark = (one, wanted) =>
      one.waitForFunction((dark) => {
        const [red] = getComputedStyle(document.documentElement).backgroundColor.match(/\d+/);
        return red < 128 === dark;
      }, wanted);
    await page.getByText("Dark", { exact: true }).click();
    await isDark(page, true);
    await isDark(tab, true);
    await page.reload();
    await isDark(page, true);
    await page.getByText("Match system", { exact: true }).click();
    await isDark(page, false);
    await isDark(tab, false);
  });

  test("everything is reached by keys alone", async ({ newUser, open }) => {
    const page = await open("/account", { as: await newUser({ demo: true }) });
    await page.getByRole("heading", { name: "Account", level: 1 }).waitFor();
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to content");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.id), "main");

    await page.keyboard.press("g");
    await page.keyboard.press("d");
    await page.waitForURL("**/data");
    await page.getByRole("heading", { name: "Data", level: 1 }).waitFor();
    assert.equal(await page.title(), "Data · Cairn");
    assert.equal(await page.evaluate(() => document.activeElement.tagName), "H1");

    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await help.getByText("Search and commands").waitFor();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await help.waitFor({ state: "detached" });

    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search" }).waitFor();
    await expectAccessible(page);
    await page.keyboard.type("review");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/review");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("sign out");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/sign-in");
  });

  test("an address without a page says so", async ({ newUser, open }) => {
    const page = await open("/no/such/page", { as: await newUser() });
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    assert.equal(await page.title(), "Page not found · Cairn");
    await page.getByText("/no/such/page").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Go to the home page" }).click();
    await page.waitForURL("**/today");
  });

  test("losing the connection is said, and mended", async ({ newUser, open, allow, server }) => {
    const page = await open("/account", { as: await newUser() });
    allow(kNobodyAnswers);
    await page.getByRole("heading", { name: "Account", level: 1 }).waitFor();
    let tries = 0;
    page.on("websocket", () => ++tries);
    await server.stop();
    await page.getByText("No connection to Cairn").waitFor();
    assert.ok(tries < 8, `${tries} tries until the loss was said: too hasty`);
    await expectAccessible(page);
    await server.start();
    await page.getByRole("button", { name: "Try now" }).click();
    await page.getByText("Back online").waitFor();
    await page.getByText("Back online").waitFor({ state: "detached" });
  });

  test("offline, pages stay, and go on when the network is back", async ({ newUser, open, allow }) => {
    const page = await open("/account", { as: await newUser() });
    allow(kNobodyAnswers);
    await page.getByText("Add demo data").waitFor();
    await page.context().setOffline(true);
    await page.getByRole("button", { name: "Add demo data" }).click();
    await page.getByRole("alert").waitFor();
    await expectAccessible(page);
    await page.context().setOffline(false);
    await page.getByRole("button", { name: "Add demo data" }).click();
    await page.waitForURL("**/values");
  });

  test("a page that was never here waits for the connection, and so do changes", async ({ newUser, open, allow }) => {
    const ada = await newUser();
    const page = await open("/board", { as: ada });
    const field = page.getByRole("textbox", { name: "New card in To do" });
    await field.waitFor();
    allow(kNobodyAnswers);
    allow(/Failed to fetch dynamically imported module|Unable to preload CSS/);
    await page.evaluate(() => (window.isSameDocument = true));
    await page.context().setOffline(true);
    await field.fill("Written on the train");
    await field.press("Enter");
    await page.locator(".card", { hasText: "Written on the train" }).waitFor();
    await page.getByRole("link", { name: "Notes" }).click();
    await page.getByRole("heading", { name: "This page has not been loaded yet" }).waitFor();
    await page.getByRole("heading", { name: "Notes", level: 1 }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Reload" }).count(), 0);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Try now" }).click();
    await page.getByRole("heading", { name: "This page has not been loaded yet" }).waitFor();
    await page.context().setOffline(false);
    await page.getByRole("button", { name: "New note" }).first().waitFor();
    assert.ok(await page.evaluate(() => window.isSameDocument), "the window was not loaded again");
    assert.notEqual(await page.evaluate(() => getComputedStyle(document.querySelector(".notes-tools")).display), "inline", "with its styles");
    await eventually(
      async () => (await ada.get("/api/nexus/tasks?status=TODO")).items.map(({ title }) => title),
      (titles) => assert.deepEqual(titles, ["Written on the train"]),
    );
  });

  test("without a server, the first page says so and tries again", async ({ newUser, open, allow }) => {
    const page = await open("/account", { as: await newUser() });
    allow(/./);
    await page.getByRole("heading", { name: "Account", level: 1 }).waitFor();
    await page.route("**/api/auth/me", (route) => route.abort());
    await page.reload();
    await page.getByRole("heading", { name: "Cairn is not responding" }).waitFor();
    await expectAccessible(page);
    await page.unroute("**/api/auth/me");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "Account", level: 1 }).waitFor();
  });

  test("a session that ended elsewhere asks for the password and keeps the page", async ({ newUser, open, allow }) => {
    const ada = await newUser();
    const page = await open("/account", { as: ada });
    await page.getByLabel("Current password").fill("typed before");
    const { items } = await ada.get("/api/auth/sessions");
    const { sessionId } = items.find(({ kind }) => kind === "browser");
    await ada.send("DELETE", `/api/auth/sessions/${sessionId}`);
    allow(/HTTP Authentication failed/); // of the WebSocket, which finds out first
    const again = page.getByRole("dialog", { name: "Sign in again" });
    await again.waitFor();
    await expectAccessible(page);
    await again.getByLabel("Password").fill(kPassword);
    await again.getByRole("button", { name: "Sign in" }).click();
    await again.waitFor({ state: "detached" });
    assert.equal(await page.getByLabel("Current password").inputValue(), "typed before");
  });

  test("on a phone the bar at the bottom leads everywhere", async ({ newUser, open }) => {
    const page = await open("/account", { as: await newUser({ demo: true }), viewport: "phone" });
    const bar = page.getByRole("navigation", { name: "Pages" });
    await bar.getByRole("button", { name: "Search" }).tap();
    await page.getByRole("combobox", { name: "Search" }).waitFor();
    await expectAccessible(page);
    await page.getByRole("option", { name: /^Data/ }).tap();
    await page.waitForURL("**/data");
    for (const [name, path] of [["Calendar", "/calendar"], ["Board", "/board"], ["Notes", "/notes"], ["Values", "/values"]]) {
      await bar.getByRole("link", { name }).tap();
      await page.waitForURL(`**${path}`);
    }
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wider <= 0, `the page is ${wider} px wider than the screen`);
  });
});
