// The settings of the calendar: its zone, reminders elsewhere, and the ways in and out.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { after } from "node:test";
import { addEvent, eventually, itemsOf, kMonday, setZone } from "./calendar_items.mjs";
import { expectAccessible } from "./fixture/accessible.mjs";
import { startMailbox } from "./fixture/mailbox.mjs";
import { hold, scene } from "./fixture/scene.mjs";

const mailbox = await startMailbox();
after(() => mailbox.close());
const kPath = "/calendar/settings";
const kUtc = { timezoneId: "UTC" };
const clipboard = { permissions: ["clipboard-read", "clipboard-write"] };
const copied = (page) => page.evaluate(() => navigator.clipboard.readText());
const settingsOf = (user) => user.get("/api/nexus/settings");
const section = (page, name) => page.getByRole("region", { name, exact: true });
const soon = () => new Date(Math.ceil(Date.now() / 1000 + 1) * 1000).toISOString().replace(".000Z", "Z");

async function newcomer(newUser) {
  const ada = await newUser();
  await setZone(ada, "UTC");
  return ada;
}

/** Answers the question that is asked before something ends. */
async function agree(page, title, action) {
  const question = page.getByRole("alertdialog", { name: title });
  await question.waitFor();
  await expectAccessible(page);
  await question.getByRole("button", { name: action, exact: true }).click();
  await question.waitFor({ state: "detached" });
}

/** A receiver of posts: { url, posts, close }. `status` may change. */
async function receiver() {
  const posts = [];
  const made = { posts, status: 200 };
  const server = createServer((asked, answer) => {
    const pieces = [];
    asked.on("data", (piece) => pieces.push(piece));
    asked.on("end", () => {
      posts.push({ headers: asked.headers, body: Buffer.concat(pieces) });
      answer.writeHead(made.status).end();
    });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  made.url = `http://127.0.0.1:${server.address().port}/hook`;
  made.close = () => new Promise((done) => server.close(done) && server.closeAllConnections());
  return made;
}

const kCalendar = [
  "BEGIN:VCALENDAR",
  "VERSION:2.0",
  "PRODID:-//Other//EN",
  "BEGIN:VEVENT",
  "UID:one@other",
  "DTSTART:20270111T090000Z",
  "DTEND:20270111T100000Z",
  "SUMMARY:Dentist",
  "END:VEVENT",
  "BEGIN:VJOURNAL",
  "UID:two@other",
  "END:VJOURNAL",
  "END:VCALENDAR",
  "",
].join("\r\n");

const calendarFile = (text = kCalendar, name = "other.ics") => ({ name, mimeType: "text/calendar", buffer: Buffer.from(text) });

await scene(
  "calendar settings",
  (test) => {
    test("are found from the calendar, the account and the palette", async ({ newUser, open }) => {
      const ada = await newcomer(newUser);
      const page = await open("/calendar", { as: ada, ...kUtc });
      const heading = page.getByRole("heading", { name: "Calendar settings", level: 1 });
      await page.getByRole("button", { name: "Calendar settings" }).press("Enter");
      await heading.waitFor();
      assert.equal(await page.getByRole("link", { name: "Calendar", exact: true }).getAttribute("aria-current"), "true");
      await page.getByRole("link", { name: "Back to the calendar" }).press("Enter");
      await page.getByRole("heading", { name: "Calendar", exact: true, level: 1 }).waitFor();

      await page.getByRole("link", { name: "Account" }).click();
      await page.getByRole("link", { name: "Calendar settings" }).click();
      await heading.waitFor();
      await page.getByRole("link", { name: "Board" }).click();
      await page.getByRole("heading", { name: "Board", level: 1 }).waitFor();
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Search" }).fill("calendar settings");
      await page.keyboard.press("Enter");
      await heading.waitFor();
    });

    test("take another zone, or that of the device, in every tab", async ({ newUser, open, allow }) => {
      const ada = await newcomer(newUser);
      const page = await open(kPath, { as: ada, timezoneId: "Asia/Kabul" });
      const tab = await open("/calendar", { beside: page });
      await tab.getByRole("button", { name: "Time zone: UTC" }).waitFor();
      const zone = section(page, "Time zone");
      await zone.getByText("This device is in Asia/Kabul.").waitFor();

      // What was chosen stays when the server cannot take it.
      allow(/status of 500/);
      await page.route("**/api/nexus/settings", (route) =>
        route.request().method() === "PATCH" ? route.fulfill({ status: 500, contentType: "application/problem+json", body: '{"detail":"the disk is full"}' }) : route.fallback(),
      );
      await zone.getByLabel("Time zone").selectOption("Asia/Tokyo");
      await zone.getByRole("button", { name: "Save time zone" }).press("Enter");
      await zone.getByText("The disk is full.").waitFor();
      assert.equal(await zone.getByLabel("Time zone").inputValue(), "Asia/Tokyo");
      await expectAccessible(page);
      await page.unroute("**/api/nexus/settings");
      // The answer of a change does not say what is offered; nothing goes away until it is read again.
      const letGo = await hold(page, "GET", "**/api/nexus/settings");
      await zone.getByRole("button", { name: "Save time zone" }).click();
      await page.getByText("Your time zone is Asia/Tokyo now.").waitFor();
      assert.equal((await settingsOf(ada)).timezone, "Asia/Tokyo");
      await tab.getByRole("button", { name: "Time zone: Asia/Tokyo" }).waitFor();
      assert.equal(await section(page, "Notifications").getByLabel("URL to send reminders").count(), 1);
      letGo();

      await zone.getByRole("button", { name: "Use Asia/Kabul" }).click();
      await zone.getByText("This device is in").waitFor({ state: "detached" });
      assert.equal((await settingsOf(ada)).timezone, "Asia/Kabul");
      await tab.getByRole("button", { name: "Time zone: Asia/Kabul" }).waitFor();
      await setZone(ada, "Europe/Paris");
      await eventually(() => zone.getByLabel("Time zone").inputValue(), (shown) => assert.equal(shown, "Europe/Paris"));
    });

    test("take the zone of the device for a newcomer", async ({ newUser, open }) => {
      const ada = await newUser();
      const page = await open(kPath, { as: ada, timezoneId: "Asia/Kabul" });
      await eventually(() => settingsOf(ada), ({ timezone }) => assert.equal(timezone, "Asia/Kabul"));
      assert.equal(await section(page, "Time zone").getByLabel("Time zone").inputValue(), "Asia/Kabul");
    });

    test("make, replace and end an address for other programs", async ({ newUser, open, server }) => {
      const ada = await newcomer(newUser);
      await addEvent(ada, "Standup", `${kMonday}T09:00`, `${kMonday}T10:00`);
      const page = await open(kPath, { as: ada, ...kUtc, ...clipboard });
      const tab = await open(kPath, { beside: page });
      const feed = section(page, "Other calendar apps");
      const others = section(tab, "Other calendar apps");
      await others.getByText("You have not created an address yet.").waitFor();
      const address = feed.getByLabel("Address of your calendar");

      await feed.getByRole("button", { name: "Create address" }).press("Enter");
      await feed.getByText("it will not be shown again").waitFor();
      assert.equal(await address.evaluate((field) => document.activeElement === field), true);
      await expectAccessible(page);
      await feed.getByRole("button", { name: "Copy" }).click();
      await page.getByText("Address copied.").waitFor();
      const first = await copied(page);
      assert.equal(first, await address.inputValue());
      assert.ok(first.startsWith(server.url), first);
      assert.equal(await feed.getByRole("link", { name: /^Subscribe/ }).getAttribute("href"), first.replace("http:", "webcal:"));
      assert.match(await (await fetch(first)).text(), /SUMMARY:Standup/);
      await others.getByText("It was shown once and cannot be shown again.").waitFor();
      assert.equal(await others.getByLabel("Address of your calendar").count(), 0);

      await feed.getByRole("button", { name: "Replace the address…" }).click();
      await agree(page, "Replace the address?", "Cancel");
      assert.equal((await fetch(first)).status, 200);
      await feed.getByRole("button", { name: "Replace the address…" }).click();
      await agree(page, "Replace the address?", "Replace");
      const second = await eventually(() => address.inputValue(), (shown) => assert.notEqual(shown, first));
      assert.deepEqual([(await fetch(first)).status, (await fetch(second)).status], [404, 200]);

      await page.reload();
      await feed.getByText("cannot be shown again").waitFor();
      await feed.getByRole("button", { name: "Remove address…" }).click();
      await agree(page, "Remove the address?", "Remove");
      await feed.getByText("You have not created an address yet.").waitFor();
      await eventually(
        () => feed.getByRole("button", { name: "Create address" }).evaluate((button) => document.activeElement === button),
        (isFocused) => assert.ok(isFocused),
      );
      assert.equal((await fetch(second)).status, 404);
      await others.getByText("You have not created an address yet.").waitFor();
    });

    test("import a file, and say what was not understood", async ({ newUser, open }) => {
      const ada = await newcomer(newUser);
      const page = await open(kPath, { as: ada, ...kUtc });
      const part = section(page, "Import");
      const letGo = await hold(page, "POST", "**/api/nexus/import");
      const [chooser] = await Promise.all([page.waitForEvent("filechooser"), part.getByRole("button", { name: "Choose a file" }).press("Enter")]);
      await chooser.setFiles(calendarFile());
      await part.getByText("Importing “other.ics”…").waitFor();
      letGo();
      await part.getByText("“other.ics” was imported. 1 created, 1 skipped.").waitFor();
      const notes = page.getByRole("region", { name: "Not recognized" });
      assert.deepEqual(await notes.getByRole("listitem").allInnerTexts(), ["Line 10, VJOURNAL\nComponents of this kind are not understood."]);
      await expectAccessible(page);
      assert.deepEqual((await itemsOf(ada)).map(({ title }) => title), ["Dentist"]);

      // The same again, dropped, is nothing new.
      const dataTransfer = await page.evaluateHandle((text) => {
        const moved = new DataTransfer();
        for (const name of ["dropped.ics", "second.ics"]) moved.items.add(new File([text], name, { type: "text/calendar" }));
        return moved;
      }, kCalendar);
      await part.locator(".drop-file").dispatchEvent("dragover", { dataTransfer });
      await part.locator(".drop-file-over").waitFor();
      await part.locator(".drop-file").dispatchEvent("drop", { dataTransfer });
      await part.getByText("“dropped.ics” was imported. 1 unchanged, 1 skipped.").waitFor();
      await page.getByText("Only “dropped.ics” is imported. Import the others one at a time.").waitFor();
    });

    test("refuse what is no calendar, and what is too large, where it was chosen", async ({ newUser, open }) => {
      const ada = await newcomer(newUser);
      const page = await open(kPath, { as: ada, ...kUtc });
      const part = section(page, "Import");
      const asked = [];
      page.on("request", (request) => request.url().endsWith("/api/nexus/import") && asked.push(request.method()));
      await part.getByLabel("Calendar file").setInputFiles(calendarFile("Dear diary", "diary.txt"));
      await part.getByRole("alert").getByText("“diary.txt” was not imported. This is not a calendar file.").waitFor();
      await expectAccessible(page);
      assert.equal(asked.length, 1);
      assert.equal(await part.getByRole("button", { name: "Try again" }).count(), 0);
      await part.getByLabel("Calendar file").setInputFiles(calendarFile("x".repeat(5 * 1024 * 1024 + 1), "life.ics"));
      await part.getByRole("alert").getByText("“life.ics” was not imported. The file is 5.1 MB; the limit is 5 MB.").waitFor();
      assert.equal(asked.length, 1);
      await part.getByLabel("Calendar file").setInputFiles(calendarFile());
      await part.getByText("“other.ics” was imported.").waitFor();
      assert.equal(await part.getByRole("alert").count(), 0);
    });

    test("go on with what there was no time for", async ({ newUser, open, allow }) => {
      const ada = await newcomer(newUser);
      const page = await open(kPath, { as: ada, ...kUtc });
      const part = section(page, "Import");
      const inPart = { created: 4, updated: 0, unchanged: 0, skipped: 0, remaining: 1, notUnderstood: [], notUnderstoodTotal: 0 };
      await page.route("**/api/nexus/import", (route) => route.fulfill({ json: inPart }), { times: 1 });
      await part.getByLabel("Calendar file").setInputFiles(calendarFile());
      await part.getByText("“other.ics” was partly imported. 4 created. There was no time for the other 1.").waitFor();
      // What was done is still told when going on fails.
      allow(/status of 500/);
      await page.route("**/api/nexus/import", (route) => route.fulfill({ status: 500, body: "" }), { times: 1 });
      await part.getByRole("button", { name: "Continue" }).click();
      await part.getByRole("alert").getByText("Cairn could not do this. Try again.").waitFor();
      await part.getByText("was partly imported").waitFor();
      await part.getByRole("button", { name: "Try again" }).click();
      await part.getByText("“other.ics” was imported. 5 created, 1 skipped.").waitFor();
    });

    test("export the calendar as a file", async ({ newUser, open }) => {
      const ada = await newcomer(newUser);
      await addEvent(ada, "Standup", `${kMonday}T09:00`, `${kMonday}T10:00`);
      const page = await open(kPath, { as: ada, ...kUtc });
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download calendar.ics" }).press("Enter")]);
      assert.equal(download.suggestedFilename(), "calendar.ics");
      assert.match(readFileSync(await download.path(), "utf8"), /BEGIN:VCALENDAR[^]*SUMMARY:Standup/);
      await page.getByRole("heading", { name: "Calendar settings", level: 1 }).waitFor();
    });

    test("have reminders posted, with a secret that is told once", async ({ newUser, open }) => {
      const ada = await newcomer(newUser);
      const there = await receiver();
      try {
        const page = await open(kPath, { as: ada, ...kUtc, ...clipboard });
        const tab = await open(kPath, { beside: page });
        const part = section(page, "Notifications");
        const others = section(tab, "Notifications");
        const address = part.getByLabel("URL to send reminders to");
        const secret = part.getByLabel("Secret");
        await others.getByRole("button", { name: "Set the webhook" }).waitFor();
        assert.equal(await part.getByRole("button", { name: "Remove…" }).count(), 0);

        await address.fill("nonsense");
        await page.keyboard.press("Enter");
        await part.getByText("Must be an address such as https://example.org/hook.").waitFor();
        assert.equal(await address.inputValue(), "nonsense");
        await expectAccessible(page);

        await address.fill(there.url);
        await part.getByRole("button", { name: "Set the webhook" }).click();
        await part.getByText("it will not be shown again").waitFor();
        await part.getByText("No reminder has been sent yet.").waitFor();
        await expectAccessible(page);
        await part.getByRole("button", { name: "Copy" }).click();
        await page.getByText("Secret copied.").waitFor();
        const first = await copied(page);
        assert.match(first, /^whsec_/);
        await eventually(() => others.getByLabel("URL to send ").inputValue(), (shown) => assert.equal(shown, there.url));
        assert.equal(await others.getByLabel("Secret").count(), 0);

        // It is the secret that posts are signed with, and what became of them is told without asking.
        await ada.post("/api/nexus/reminders", { title: "Call mother", triggerUtc: soon() });
        await part.getByText(/^The last reminder was delivered/).waitFor();
        const [{ headers, body }] = there.posts;
        const [, time, signature] = /^t=(\d+),v1=(\w+)$/.exec(headers["cairn-signature"]);
        assert.equal(createHmac("sha256", first).update(`${time}.`).update(body).digest("hex"), signature);

        await part.getByRole("button", { name: "New secret…" }).click();
        await agree(page, "Create a new secret?", "Create new secret");
        await eventually(() => secret.inputValue(), (shown) => assert.ok(shown.startsWith("whsec_") && shown !== first, shown));
        assert.equal((await settingsOf(ada)).webhookUrl, there.url);
        there.status = 500;
        await ada.post("/api/nexus/reminders", { title: "Call father", triggerUtc: soon() });
        await others.getByText(/^The last reminder could not be delivered .* The answer was 500\. It was tried once; Cairn keeps trying/).waitFor();
        await expectAccessible(tab);

        await page.reload();
        await part.getByRole("button", { name: "New secret…" }).waitFor();
        assert.equal(await secret.count(), 0);
        await part.getByRole("button", { name: "Remove…" }).click();
        await agree(page, "Remove the webhook?", "Remove");
        await page.getByText("Webhook removed.").waitFor();
        await eventually(() => address.evaluate((field) => [document.activeElement === field, field.value]), (now) => assert.deepEqual(now, [true, ""]));
        assert.equal((await settingsOf(ada)).webhookUrl, undefined);
        await others.getByRole("button", { name: "Set the webhook" }).waitFor();
      } finally {
        await there.close();
      }
    });

    test("have reminders sent by e-mail", async ({ newUser, open }) => {
      const ada = await newcomer(newUser);
      const page = await open(kPath, { as: ada, ...kUtc });
      const part = section(page, "Notifications");
      const byMail = part.getByRole("switch", { name: `Send reminders to ${ada.email}` });
      await byMail.press("Space");
      await part.getByText("No reminder has been sent yet.").waitFor();
      await eventually(() => settingsOf(ada), ({ notifyEmail }) => assert.equal(notifyEmail, true));
      assert.equal(await byMail.isChecked(), true);
      await part.getByText("Nothing is sent until you confirm your address").waitFor();
      const token = /^https?:\S+#(\S+)$/m.exec(await mailbox.next(ada.email))[1];
      await ada.post("/api/auth/email/verify", { token });
      mailbox.close();
      await ada.post("/api/nexus/reminders", { title: "Call mother", triggerUtc: soon() });
      await part.getByText(/^The last reminder could not be delivered/).waitFor();
      await ada.send("PATCH", "/api/nexus/settings", { notifyEmail: false });
      await eventually(() => byMail.isChecked(), (isOn) => assert.equal(isOn, false));
    });

    test("are read by everybody with all there is to see, also on a phone", async ({ newUser, open }) => {
      const ada = await newcomer(newUser);
      for (const viewport of ["wide", "phone"]) {
        for (const dark of [false, true]) {
          const page = await open(kPath, { as: ada, viewport, dark });
          await section(page, "Other calendar apps").getByRole("button", { name: /address/ }).first().click();
          const question = page.getByRole("alertdialog").getByRole("button", { name: "Replace" });
          const told = page.getByLabel("Address of your calendar");
          await told.or(question).first().waitFor();
          if (await question.isVisible()) await question.click();
          await told.waitFor();
          await section(page, "Notifications").getByLabel("URL to send reminders").fill(`http://127.0.0.1:1/${viewport}/${dark}`);
          await page.keyboard.press("Enter");
          await page.getByLabel("Secret").waitFor();
          await page.getByLabel("Calendar file").setInputFiles(calendarFile());
          await page.getByRole("region", { name: "Not recognized" }).waitFor();
          await expectAccessible(page);
          const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert.ok(wider <= 0, `${wider} px wider than the screen`);
        }
      }
    });
  },
  { serve: ["--webhooks", "private", "--smtp-url", mailbox.url, "--smtp-from", "cairn@example.org"] },
);

await scene("calendar settings where nothing is sent", (test) => {
  test("say so, and how to turn it on", async ({ newUser, open }) => {
    const page = await open(kPath, { as: await newcomer(newUser), ...kUtc });
    const part = section(page, "Notifications");
    await part.getByText("This server does not send notifications. Its operator can turn them on with --webhooks public and --smtp-url.").waitFor();
    assert.equal(await part.getByRole("textbox").count(), 0);
    assert.equal(await part.getByRole("switch").count(), 0);
    await expectAccessible(page);
  });
});
