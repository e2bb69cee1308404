// The calendar page: by mouse, by keys, in other zones, and while others change the same things.
import assert from "node:assert/strict";
import { addEvent, drag, eventNamed, eventually, eventuallyLines, itemsOf, kMonday, kTuesday, kWednesday, kWeek, pointAt, setZone } from "./calendar_items.mjs";
import { expectAccessible } from "./fixture/accessible.mjs";
import { hold, picture, scene } from "./fixture/scene.mjs";

const kUtc = { timezoneId: "UTC" };

async function newcomer(newUser) {
  const ada = await newUser();
  await setZone(ada, "UTC");
  return ada;
}

/** Without scrolling there: where a drag goes. */
async function columnAt(page, day, minute) {
  const box = await page.locator(`[data-column="${day}"]`).boundingBox();
  return { x: box.x + box.width / 2, y: box.y + minute * 0.8 };
}

async function centreOf(locator) {
  const box = await locator.boundingBox();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Answers the question which occurrences are meant. */
async function choose(page, scope, action) {
  const dialog = page.getByRole(action === "Delete" ? "alertdialog" : "dialog").filter({ hasText: "This event repeats." });
  await dialog.getByRole("radio", { name: scope }).check();
  await dialog.getByRole("button", { name: action }).click();
  await dialog.waitFor({ state: "hidden" });
}

await scene("the calendar page", (test) => {
  test("makes events by pressing, by dragging, and moves them", async ({ newUser, open }) => {
    const ada = await newcomer(newUser);
    const page = await open(kWeek, { as: ada, ...kUtc });

    // A press on empty time is an hour.
    const nine = await pointAt(page, kMonday, 9 * 60 + 20);
    await page.mouse.click(nine.x, nine.y);
    const dialog = page.getByRole("dialog", { name: "New event" });
    await dialog.getByLabel("Title").fill("Standup");
    assert.deepEqual([await dialog.getByLabel("Start time").inputValue(), await dialog.getByLabel("End time").inputValue()], ["09:15", "10:15"]);
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Add" }).click();
    await dialog.waitFor({ state: "hidden" });
    await eventuallyLines(ada, (shown) => assert.deepEqual(shown, ["Standup 11 09:15-10:15"]));

    // A drag over it as long as it is.
    const one = await pointAt(page, kTuesday, 13 * 60);
    const three = { x: one.x, y: one.y + 120 * 0.8 };
    await drag(page, one, three);
    assert.deepEqual([await dialog.getByLabel("Start time").inputValue(), await dialog.getByLabel("End time").inputValue()], ["13:00", "15:00"]);
    await dialog.getByLabel("Title").fill("Workshop");
    await dialog.getByLabel("Location").fill("Room 4");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "hidden" });
    await eventuallyLines(ada, (shown) => assert.deepEqual(shown, ["Standup 11 09:15-10:15", "Workshop 12 13:00-15:00"]));

    // By its middle to another day and hour, by its edges to another length; and back.
    await eventNamed(page, "Workshop").waitFor();
    await drag(page, await pointAt(page, kTuesday, 14 * 60), await columnAt(page, kWednesday, 15 * 60));
    const shownTime = (text) => eventNamed(page, "Workshop").getByText(text).waitFor();
    await shownTime("14:00 – 16:00");
    await eventuallyLines(ada, (shown) => assert.equal(shown[1], "Workshop 13 14:00-16:00"));
    await page.getByRole("button", { name: "Undo" }).click();
    await eventuallyLines(ada, (shown) => assert.equal(shown[1], "Workshop 12 13:00-15:00"));
    await shownTime("13:00 – 15:00");
    const end = await pointAt(page, kTuesday, 15 * 60);
    await drag(page, { x: end.x, y: end.y - 2 }, { x: end.x, y: end.y - 2 + 45 * 0.8 });
    await eventuallyLines(ada, (shown) => assert.equal(shown[1], "Workshop 12 13:00-15:45"));
    await shownTime("13:00 – 15:45");
    const start = await pointAt(page, kTuesday, 13 * 60);
    await drag(page, { x: start.x, y: start.y + 2 }, { x: start.x, y: start.y + 2 - 30 * 0.8 });
    await eventuallyLines(ada, (shown) => assert.equal(shown[1], "Workshop 12 12:30-15:45"));
    await shownTime("12:30 – 15:45");
  });

  test("keeps what was typed into a new event until it is discarded", async ({ newUser, open }) => {
    const ada = await newcomer(newUser);
    const page = await open(kWeek, { as: ada, ...kUtc });
    const { keyboard } = page;
    await page.getByRole("group", { name: "Hours" }).waitFor();
    const dialog = page.getByRole("dialog", { name: "New event" });
    const question = page.getByRole("alertdialog", { name: "Discard what you typed?" });
    // Nothing was typed: nothing is asked.
    await keyboard.press("n");
    await dialog.waitFor();
    await keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });

    await keyboard.press("n");
    await dialog.getByLabel("Title").fill("Dinner with Bo");
    await dialog.getByLabel("Description").fill("Book a table");
    for (const leave of [() => keyboard.press("Escape"), () => dialog.getByRole("button", { name: "Close" }).click(), () => dialog.getByRole("button", { name: "Cancel" }).click()]) {
      await leave();
      await question.waitFor();
      await keyboard.press("Escape");
      await question.waitFor({ state: "hidden" });
      assert.equal(await dialog.getByLabel("Title").inputValue(), "Dinner with Bo");
      assert.equal(await dialog.getByLabel("Description").inputValue(), "Book a table");
    }
    await dialog.getByLabel("Description").press("Escape");
    await expectAccessible(page);
    await question.getByRole("button", { name: "Discard" }).click();
    await dialog.waitFor({ state: "hidden" });
    await eventuallyLines(ada, (shown) => assert.deepEqual(shown, []));
  });

  test("works with events the moment they are made", async ({ newUser, open }) => {
    const ada = await newcomer(newUser);
    const page = await open(kWeek, { as: ada, ...kUtc });
    const { keyboard } = page;
    await page.getByRole("group", { name: "Hours" }).waitFor();
    // What the server has is not read again before all of it is done.
    const letGo = await hold(page, "GET", "**/api/nexus/agenda?*");
    await keyboard.press("n");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Title").fill("Call");
    await dialog.getByLabel("Location").fill("Room 4");
    await keyboard.press("Enter");
    await dialog.waitFor({ state: "hidden" });
    await drag(page, await pointAt(page, kMonday, 9 * 60 + 30), await columnAt(page, kTuesday, 10 * 60 + 30));
    const face = page.getByRole("button", { name: "Call 10:00 – 11:00 Room 4 Tue 12 Jan" });
    await face.press("Enter");
    assert.equal(await dialog.getByLabel("Location").inputValue(), "Room 4");
    await dialog.getByLabel("Location").fill("Room 5");
    await keyboard.press("Enter");
    await dialog.waitFor({ state: "hidden" });
    const moved = page.getByRole("button", { name: "Call 10:00 – 11:00 Room 5 Tue 12 Jan" });
    await moved.focus();
    await page.evaluate(() => (window.made = document.activeElement));
    letGo();
    await eventually(() => itemsOf(ada), (items) => assert.deepEqual(items.map(({ start, location }) => [start, location]), [[`${kTuesday}T10:00:00Z`, "Room 5"]]));
    await addEvent(ada, "Other", `${kWednesday}T09:00`, `${kWednesday}T10:00`);
    await eventNamed(page, "Other").waitFor();
    assert.ok(await page.evaluate(() => document.activeElement === window.made), "it is the same row as before");
    // All of it is read from the server now.
    await keyboard.press("Enter");
    assert.equal(await dialog.getByLabel("Location").inputValue(), "Room 5");
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await eventuallyLines(ada, (shown) => assert.deepEqual(shown, ["Other 13 09:00-10:00"]));
  });

  test("does all of it by keys", async ({ newUser, open }) => {
    const ada = await newcomer(newUser);
    const page = await open(kWeek, { as: ada, ...kUtc });
    const { keyboard } = page;
    await page.getByRole("group", { name: "Hours" }).waitFor();
    await keyboard.press("n");
    const dialog = page.getByRole("dialog", { name: "New event" });
    await dialog.waitFor();
    await keyboard.type("Call");
    await keyboard.press("Enter");
    await dialog.waitFor({ state: "hidden" });
    await eventuallyLines(ada, (shown) => assert.deepEqual(shown, ["Call 11 09:00-10:00"]));
    const face = page.getByRole("button", { name: /^Call / });
    await face.focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowRight"]) await keyboard.press(key);
    await eventuallyLines(ada, (shown) => assert.deepEqual(shown, ["Call 12 09:30-10:30"]));
    await page.getByRole("button", { name: "Call 9:30 – 10:30 Tue 12 Jan" }).focus();
    await keyboard.press("Shift+ArrowDown");
    await eventuallyLines(ada, (shown) => assert.deepEqual(shown, ["Call 12 09:30-10:45"]));
    await page.getByRole("button", { name: "Call 9:30 – 10:45 Tue 12 Jan" }).focus();
    await keyboard.press("Delete");
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).press("Enter");
    await eventuallyLines(ada, (shown) => assert.deepEqual(shown, []));

    // Around: by weeks, by views, to today.
    await page.getByRole("group", { name: "Hours" }).focus();
    await keyboard.press("j");
    await page.waitForURL("**/calendar/week/2027-01-18");
    await keyboard.press("ArrowLeft");
    await page.waitForURL(`**${kWeek}`);
    await keyboard.press("m");
    await page.getByText("January 2027").waitFor();
    await keyboard.press("k");
    await page.getByText("December 2026").waitFor();
    await keyboard.press("d");
    await page.waitForURL("**/calendar/day/2026-12-01");
    await keyboard.press("a");
    await page.getByRole("heading", { name: "Nothing scheduled" }).waitFor();
    await expectAccessible(page);
    await keyboard.press("t");
    await page.waitForURL(`**/calendar/agenda/${new Date().toISOString().slice(0, 10)}`);
  });

  test("asks which occurrences are meant", async ({ newUser, open }) => {
    const ada = await newcomer(newUser);
    await addEvent(ada, "Yoga", `${kMonday}T09:00`, `${kMonday}T10:00`, { rrule: "FREQ=DAILY;COUNT=5" });
    const page = await open(kWeek, { as: ada, ...kUtc });
    const drop = async (day, from, to) => {
      const start = await pointAt(page, day, from);
      await drag(page, start, { x: start.x, y: start.y + (to - from) * 0.8 });
    };
    await page.locator(".event").nth(4).waitFor();

    await drop(kMonday, 9 * 60 + 30, 10 * 60 + 30);
    const dialog = page.getByRole("dialog", { name: "Move “Yoga”" });
    await dialog.waitFor();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^Yoga 9:00.* Mon 11 Jan/ }).waitFor();

    await drop(kMonday, 9 * 60 + 30, 10 * 60 + 30);
    await choose(page, "Only this event", "Move");
    await eventuallyLines(ada, (shown) => assert.deepEqual(shown.slice(0, 2), ["Yoga 11 10:00-11:00", "Yoga 12 09:00-10:00"]));

    await page.getByRole("button", { name: /^Yoga 9:00.* Wed 13 Jan/ }).waitFor();
    await drop(kWednesday, 9 * 60 + 30, 13 * 60 + 30);
    await choose(page, "This and following events", "Move");
    await eventuallyLines(ada, (shown) =>
      assert.deepEqual(shown, ["Yoga 11 10:00-11:00", "Yoga 12 09:00-10:00", "Yoga 13 13:00-14:00", "Yoga 14 13:00-14:00", "Yoga 15 13:00-14:00"]),
    );

    // The dialog changes the series, rule and all.
    await page.getByRole("button", { name: /^Yoga 13:00.* Thu 14 Jan/ }).click();
    const form = page.getByRole("dialog", { name: "Edit event" });
    await form.getByLabel("Title").fill("Pilates");
    await form.getByLabel("Rule").fill("FREQ=DAILY;COUNT=4");
    await form.getByText("13 Jan 2027, 14 Jan 2027, 15 Jan 2027, 16 Jan 2027").or(form.getByText(/14 Jan 2027/)).first().waitFor();
    await form.getByRole("button", { name: "Save" }).click();
    await choose(page, "All events", "Change");
    await form.waitFor({ state: "hidden" });
    await eventuallyLines(ada, (shown) => assert.equal(shown.filter((line) => line.startsWith("Pilates")).length, 4, shown.join()));

    await page.getByRole("button", { name: /^Pilates .*Fri 15 Jan/ }).focus();
    await page.keyboard.press("Delete");
    await choose(page, "This and following events", "Delete");
    await eventuallyLines(ada, (shown) => assert.deepEqual(shown.slice(2), ["Pilates 13 13:00-14:00", "Pilates 14 13:00-14:00"]));
  });

  test("makes a series of an event, and an event of a series", async ({ server, newUser, open }) => {
    const ada = await newcomer(newUser);
    const made = await addEvent(ada, "Yoga", `${kMonday}T09:00`, `${kMonday}T10:00`, { location: "Park", tags: ["body"], reminderMinutes: [30] });
    const page = await open(kWeek, { as: ada, ...kUtc });
    const form = page.getByRole("dialog", { name: "Edit event" });
    const change = async (name, fill) => {
      await page.getByRole("button", { name }).press("Enter");
      await fill();
      await form.getByRole("button", { name: "Save" }).click();
    };
    const repeat = (name, rule) => change(name, () => form.getByLabel("Repeats").selectOption(rule));
    const rename = (name, title) => change(name, () => form.getByLabel("Title").fill(title));
    const days = (wanted) => eventuallyLines(ada, (shown) => assert.deepEqual(shown.map((line) => line.slice(5, 7)), wanted));
    const events = async () => (await itemsOf(ada)).filter(({ entityType }) => /EVENT|INSTANCE/.test(entityType));
    const uids = async () => (await (await page.request.get(`${server.url}/api/nexus/calendar.ics`)).text()).match(/^UID:.*$/gm).map((line) => line.trim());
    const waiting = async () => (await ada.get("/api/nexus/reminders")).items.map(({ title, triggerUtc }) => `${title} ${triggerUtc}`);
    const dayOf = (reminder) => reminder.slice("Yoga ".length, "Yoga 2027-01-11".length);
    const [uid] = await uids();
    await rename(/^Yoga 9:00.* Mon 11 Jan/, "Yogi");
    await form.waitFor({ state: "hidden" });
    await rename(/^Yogi 9:00.* Mon 11 Jan/, "Yoga");
    await form.waitFor({ state: "hidden" });

    await repeat(/^Yoga 9:00.* Mon 11 Jan/, "Every day");
    await form.waitFor({ state: "hidden" });
    await days(["11", "12", "13", "14", "15", "16", "17"]);
    const { masterId } = (await events())[0];
    const master = await ada.get(`/api/nexus/masters/${masterId}`);
    assert.deepEqual([master.tags, master.reminderMinutes], [["body"], [30]]);
    // To other calendars it is the same entry, and it reminds as before, at the next occurrence.
    assert.deepEqual([...new Set(await uids())], [uid]);
    const isToCome = Date.now() < Date.parse(`${kMonday}T08:30:00Z`);
    const next = isToCome ? kMonday : dayOf((await waiting())[0]);
    assert.deepEqual(await waiting(), [`Yoga ${next}T08:30:00Z`]);

    // Another rule, in place.
    await repeat(/^Yoga 9:00.* Mon 11 Jan.*repeats/, "Every weekday");
    await choose(page, "All events", "Change");
    await form.waitFor({ state: "hidden" });
    await days(["11", "12", "13", "14", "15"]);
    assert.deepEqual([...new Set((await events()).map((item) => item.masterId))], [masterId]);

    // And back: it is the event it was.
    await repeat(/^Yoga 9:00.* Mon 11 Jan.*repeats/, "Does not repeat");
    await choose(page, "Keep only this event", "Stop");
    await form.waitFor({ state: "hidden" });
    await days(["11"]);
    const [single] = await events();
    assert.equal(single.id, made.id);
    assert.deepEqual([single.location, single.tags], ["Park", ["body"]]);
    assert.deepEqual([await uids(), await waiting()], [[uid], isToCome ? [`Yoga ${kMonday}T08:30:00Z`] : []]);
    await eventually(() => page.locator(".event").count(), (count) => assert.equal(count, 1));

    // It is edited as if nothing had happened.
    await rename(/^Yoga 9:00.* Mon 11 Jan(?!.*repeats)/, "Pila");
    await form.waitFor({ state: "hidden" });
    await eventually(events, (items) => assert.deepEqual(items.map(({ id, title }) => [id, title]), [[made.id, "Pila"]]));
  });

  test("ends a series at an occurrence, which stays", async ({ newUser, open }) => {
    const ada = await newcomer(newUser);
    const { id: masterId } = await addEvent(ada, "Yoga", `${kMonday}T09:00`, `${kMonday}T10:00`, { location: "Park", rrule: "FREQ=DAILY" });
    const page = await open(kWeek, { as: ada, ...kUtc });
    const form = page.getByRole("dialog", { name: "Edit event" });
    await page.getByRole("button", { name: /^Yoga 9:00.* Thu 14 Jan/ }).press("Enter");
    await form.getByLabel("Repeats").selectOption("Does not repeat");
    await form.getByLabel("Location").fill("Hall");
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog", { name: "Stop repeating “Yoga”" }).getByText("This and earlier events stay; later ones are deleted.").waitFor();
    await expectAccessible(page);
    await choose(page, "After this event", "Stop");
    await form.waitFor({ state: "hidden" });
    await eventuallyLines(ada, (shown) => assert.deepEqual(shown.map((line) => line.slice(5, 7)), ["11", "12", "13", "14"]));
    const items = await itemsOf(ada);
    assert.deepEqual(items.map((item) => item.masterId), [masterId, masterId, masterId, undefined]);
    assert.deepEqual([items[3].entityType, items[3].location], ["EVENT", "Hall"]);
    await eventually(() => page.locator(".event").count(), (count) => assert.equal(count, 4));
  });

  test("previews a rule, and says what is wrong with it", async ({ newUser, open }) => {
    const ada = await newcomer(newUser);
    const page = await open(kWeek, { as: ada, ...kUtc });
    await page.getByRole("button", { name: "New event" }).click();
    const dialog = page.getByRole("dialog", { name: "New event" });
    await dialog.getByLabel("Title").fill("Review");
    await dialog.getByLabel("Repeats").selectOption({ label: "Every weekday" });
    await dialog.getByText("11 Jan 2027, 12 Jan 2027, 13 Jan 2027, 14 Jan 2027, 15 Jan 2027 …").waitFor();
    await dialog.getByLabel("Repeats").selectOption({ label: "Custom rule" });
    await dialog.getByLabel("Rule").fill("FREQ=WEEKLY;BYDAY=XX");
    await dialog.getByText(/BYDAY has days such as/).waitFor();
    await dialog.getByRole("button", { name: "Add" }).click();
    await dialog.getByText(/BYDAY has days such as/).nth(1).waitFor();
    assert.equal(await dialog.getByLabel("Title").inputValue(), "Review");
    await dialog.getByLabel("Rule").fill("FREQ=WEEKLY;BYDAY=MO,FR;COUNT=2");
    await dialog.getByRole("button", { name: "Add" }).click();
    await eventuallyLines(ada, (shown) => assert.deepEqual(shown, ["Review 11 09:00-10:00", "Review 15 09:00-10:00"]));

    // A single event that begins to repeat.
    await addEvent(ada, "Swim", `${kTuesday}T07:00`, `${kTuesday}T08:00`, { location: "Lake" });
    await page.getByRole("button", { name: /^Swim/ }).click();
    const change = page.getByRole("dialog", { name: "Edit event" });
    await change.getByLabel("Repeats").selectOption({ label: "Every day" });
    await change.getByRole("button", { name: "Save" }).click();
    const series = await eventually(() => itemsOf(ada), (items) => assert.equal(items.filter(({ title }) => title === "Swim").length, 6));
    assert.ok(series.filter(({ title }) => title === "Swim").every(({ entityType, location }) => entityType === "INSTANCE" && location === "Lake"));
  });

  test("has what is overdue first, and what is due among the hours", async ({ newUser, open }) => {
    const ada = await newcomer(newUser);
    const day = (count) => new Date(Date.now() + count * 86_400_000).toISOString().slice(0, 10);
    await ada.post("/api/nexus/tasks", { title: "Tax", status: "TODO", dueUtc: `${day(-3)}T10:00:00Z` });
    await ada.post("/api/nexus/tasks", { title: "Rent", status: "TODO", dueUtc: `${day(2)}T10:00:00Z` });
    await ada.post("/api/nexus/reminders", { title: "Plants", triggerUtc: `${day(2)}T16:00:00Z` });
    const page = await open("/calendar/agenda", { as: ada, ...kUtc });
    await page.getByRole("region", { name: "Overdue" }).getByRole("button", { name: /Tax.*task/ }).waitFor();
    assert.equal(await page.getByRole("heading", { level: 2 }).first().textContent(), "Overdue");
    await page.getByRole("button", { name: /Plants.*reminder/ }).waitFor();
    await expectAccessible(page);
    await page.goto(new URL(`/calendar/day/${day(2)}`, page.url()).href);
    await page.getByRole("list", { name: /^Tasks and reminders/ }).getByRole("button", { name: /^Rent, .*10:00, task/ }).waitFor();
    await page.getByRole("button", { name: /^Plants/ }).click();
    await page.getByRole("dialog", { name: "Plants" }).getByText("16:00").waitFor();
  });

  test("shows the hours of another zone; what floats stays", async ({ newUser, open }) => {
    const ada = await newcomer(newUser);
    await addEvent(ada, "Board", `${kMonday}T09:00`, `${kMonday}T10:00`, { startTzid: "Europe/Berlin" });
    await addEvent(ada, "Run", `${kMonday}T07:00`, `${kMonday}T08:00`, { startTzid: null });
    const page = await open(kWeek, { as: ada, ...kUtc });
    await page.getByRole("button", { name: "Board 8:00 – 9:00 Mon 11 Jan" }).waitFor();
    await page.getByRole("button", { name: "Run 7:00 – 8:00 Mon 11 Jan, no zone" }).waitFor();
    await page.getByRole("button", { name: "Time zone: UTC" }).click();
    const dialog = page.getByRole("dialog", { name: "Time zone" });
    await dialog.getByLabel("Time zone").selectOption("America/New_York");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Use this zone" }).click();
    await page.getByRole("button", { name: "Board 3:00 – 4:00 Mon 11 Jan" }).waitFor();
    await page.getByRole("button", { name: "Run 7:00 – 8:00 Mon 11 Jan, no zone" }).waitFor();
    assert.equal((await ada.get("/api/nexus/settings")).timezone, "America/New_York");
    await page.reload();
    await page.getByRole("button", { name: "Time zone: America/New York" }).waitFor();

    // Moved by the clock of the viewer, kept in its own zone.
    const three = await pointAt(page, kMonday, 3 * 60 + 30);
    await drag(page, three, { x: three.x, y: three.y + 60 * 0.8 });
    const moved = await eventually(() => itemsOf(ada), (items) => assert.ok(items.some(({ startLocal }) => startLocal === `${kMonday}T10:00:00`)));
    assert.equal(moved.find(({ title }) => title === "Board").startTzid, "Europe/Berlin");
  });

  test("takes the zone of the device for a newcomer", async ({ newUser, open }) => {
    const ada = await newUser();
    const page = await open("/calendar", { as: ada, timezoneId: "Asia/Kabul" });
    await page.getByRole("button", { name: "Time zone: Asia/Kabul" }).waitFor();
    await eventually(() => ada.get("/api/nexus/settings"), ({ timezone }) => assert.equal(timezone, "Asia/Kabul"));
  });

  test("follows what others change, and tells when it was faster", async ({ newUser, open }) => {
    const ada = await newcomer(newUser);
    const page = await open(kWeek, { as: ada, ...kUtc });
    await page.getByRole("group", { name: "Hours" }).waitFor();
    const { id } = await addEvent(ada, "Lunch", `${kMonday}T12:00`, `${kMonday}T13:00`);
    await eventNamed(page, "Lunch").waitFor();

    // Somebody is faster: between what is seen and what is sent.
    let isFirst = true;
    await page.route("**/api/nexus/events/*", async (route) => {
      if (isFirst && route.request().method() === "PATCH") {
        isFirst = false;
        await ada.send("PATCH", `/api/nexus/events/${id}`, { title: "Long lunch" }, { "If-Match": '"1"' });
      }
      await route.continue();
    });
    const noon = await pointAt(page, kMonday, 12 * 60 + 30);
    await drag(page, noon, { x: noon.x, y: noon.y + 60 * 0.8 });
    await page.getByText("“Lunch” was changed elsewhere in the meantime.").waitFor();
    await page.getByRole("button", { name: "Long lunch 12:00 – 13:00 Mon 11 Jan" }).waitFor();
    await page.getByRole("button", { name: "Use mine" }).click();
    await eventuallyLines(ada, (shown) => assert.deepEqual(shown, ["Long lunch 11 13:00-14:00"]));

    // A series is many changes, and few reads.
    let reads = 0;
    page.on("request", (request) => (reads += request.url().includes("/api/nexus/agenda") ? 1 : 0));
    await addEvent(ada, "Walk", `${kMonday}T18:00`, `${kMonday}T18:30`, { rrule: "FREQ=DAILY" });
    await page.locator(".event", { hasText: "Walk" }).nth(6).waitFor();
    assert.ok(reads < 40, `${reads} reads`);
  });

  test("keeps changes while nobody answers", async ({ newUser, open, allow }) => {
    const ada = await newcomer(newUser);
    await addEvent(ada, "Lunch", `${kMonday}T12:00`, `${kMonday}T13:00`);
    const page = await open(kWeek, { as: ada, ...kUtc });
    await eventNamed(page, "Lunch").waitFor();
    allow(/ERR_INTERNET_DISCONNECTED|WebSocket/);
    await page.context().setOffline(true);
    await page.getByRole("button", { name: /^Lunch/ }).focus();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("button", { name: /^Lunch .*Tue 12 Jan/ }).waitFor();
    await page.context().setOffline(false);
    await eventuallyLines(ada, (shown) => assert.deepEqual(shown, ["Lunch 12 12:00-13:00"]));
  });

  test("shows whole days, and moves them by days in the month", async ({ newUser, open }) => {
    const ada = await newcomer(newUser);
    await addEvent(ada, "Conference", `${kTuesday}T00:00`, "2027-01-14T00:00", { startTzid: null, allDay: true });
    await addEvent(ada, "Dentist", `${kMonday}T15:00`, `${kMonday}T16:00`);
    const page = await open(kWeek, { as: ada, ...kUtc });
    await page.getByRole("button", { name: "Conference Tue 12 Jan – Wed 13 Jan" }).waitFor();
    await page.keyboard.press("m");
    const dentist = page.getByRole("button", { name: /^Dentist/ });
    await drag(page, await centreOf(dentist), await centreOf(page.locator('[data-day="2027-01-15"]')));
    await eventuallyLines(ada, (shown) => assert.ok(shown.includes("Dentist 15 15:00-16:00"), shown.join()));
    await page.getByRole("button", { name: /^Conference/ }).focus();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("button", { name: "Conference Wed 13 Jan – Thu 14 Jan" }).waitFor();
    await expectAccessible(page);
  });

  test("makes whole days longer and shorter, at both ends", async ({ newUser, open }) => {
    const ada = await newcomer(newUser);
    await addEvent(ada, "Fair", `${kTuesday}T00:00`, "2027-01-14T00:00", { startTzid: null, allDay: true });
    const page = await open(kWeek, { as: ada, ...kUtc });
    const bar = (name) => page.getByRole("button", { name, exact: true });
    const from = (edge) => centreOf(page.locator(`.bar-edge-${edge}`));
    const over = async (day, y) => ({ x: (await centreOf(page.locator(`[data-day="${day}"]`))).x, y });
    const pull = async (edge, day) => {
      const start = await from(edge);
      await drag(page, start, await over(day, start.y));
    };
    const eventuallyDays = (wanted) =>
      eventually(() => itemsOf(ada, "2027-01-01", "2027-02-01"), (items) => assert.deepEqual(items.map(({ startLocal, endLocal }) => `${startLocal.slice(5, 10)} ${endLocal.slice(5, 10)}`), [wanted]));
    await bar("Fair Tue 12 Jan – Wed 13 Jan").waitFor();
    await pull("end", "2027-01-15");
    await page.getByText("“Fair” is from Tue 12 Jan to Fri 15 Jan now.").first().waitFor();
    await eventuallyDays("01-12 01-16");
    await pull("start", kWednesday);
    await eventuallyDays("01-13 01-16");
    // Not shorter than a day.
    await pull("start", "2027-01-17");
    await eventuallyDays("01-15 01-16");
    await page.getByLabel("Messages").getByText("“Fair” is on Fri 15 Jan now.").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await eventuallyDays("01-13 01-16");

    await bar("Fair Wed 13 Jan – Fri 15 Jan").focus();
    await page.keyboard.press("Shift+ArrowRight");
    await bar("Fair Wed 13 Jan – Sat 16 Jan").waitFor();
    await page.keyboard.press("Alt+Shift+ArrowLeft");
    await bar("Fair Tue 12 Jan – Sat 16 Jan").waitFor();
    await eventuallyDays("01-12 01-17");

    // Over the end of a week in the month: each end is where it is.
    await page.keyboard.press("m");
    await page.locator(".month").waitFor();
    const next = await centreOf(page.locator('[data-day="2027-01-19"]'));
    await drag(page, await from("end"), next);
    await eventuallyDays("01-12 01-20");
    await eventually(() => page.locator(".bar").count(), (count) => assert.equal(count, 2));
    assert.deepEqual([await page.locator(".bar-edge-start").count(), await page.locator(".bar-edge-end").count()], [1, 1]);
    await expectAccessible(page);
    await page.getByRole("button", { name: /^Fair/ }).first().focus();
    await page.keyboard.press("Shift+ArrowUp");
    await eventuallyDays("01-12 01-13");
    assert.match(await page.evaluate(() => document.activeElement?.textContent), /Fair/, "the focus stays");
  });

  test("looks well", async ({ newUser, open }) => {
    const ada = await newcomer(newUser);
    const add = (title, day, start, end, more) => addEvent(ada, title, `2027-01-${day}T${start}`, `2027-01-${day}T${end}`, more);
    await add("Standup", 11, "09:30", "09:45", { rrule: "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", tags: ["team"] });
    await add("Design review", 11, "11:00", "12:30", { tags: ["design"], location: "Room 4" });
    await add("Write the report", 12, "10:00", "12:00", { tags: ["focus"] });
    await add("Interview", 12, "11:00", "12:00", { tags: ["team"] });
    await add("Coffee with Bo", 12, "11:30", "12:15", {});
    await add("Lunch", 13, "12:30", "13:30", { startTzid: null });
    await add("Planning", 14, "14:00", "16:00", { tags: ["team"] });
    await add("Swim", 15, "07:00", "08:00", { startTzid: null, tags: ["sport"] });
    await addEvent(ada, "Conference in Lisbon", `${kWednesday}T00:00`, "2027-01-16T00:00", { startTzid: null, allDay: true, tags: ["travel"] });
    await addEvent(ada, "Sister visits", "2027-01-15T00:00", "2027-01-18T00:00", { startTzid: null, allDay: true });
    await ada.post("/api/nexus/reminders", { title: "Water the plants", triggerUtc: "2027-01-13T16:00:00Z" });
    for (const [viewport, width] of [["wide", "wide"], ["phone", "narrow"]]) {
      for (const dark of [false, true]) {
        const page = await open(kWeek, { as: ada, viewport, dark, ...kUtc });
        await page.getByText("Conference in Lisbon").waitFor();
        await expectAccessible(page);
        await picture(page, `calendar-week-${width}-${dark ? "dark" : "light"}`);
        for (const view of ["day", "month", "agenda"]) {
          await page.goto(new URL(`/calendar/${view}/${kTuesday}`, page.url()).href);
          await page.getByText("Interview").first().waitFor();
          await expectAccessible(page);
        }
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wider <= 0, `${wider} px wider than the screen`);
      }
    }
  });
});
