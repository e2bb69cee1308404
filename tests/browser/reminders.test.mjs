// Reminders, on whatever page one is: they appear when they fire, and stay until somebody has seen to them.
import assert from "node:assert/strict";
import { eventually, setZone } from "./calendar_items.mjs";
import { expectAccessible } from "./fixture/accessible.mjs";
import { scene } from "./fixture/scene.mjs";
import { kNobodyAnswers } from "./fixture/watch.mjs";

/** So long after its time a reminder counts as late. */
const kLateSeconds = 31;

/** In whole seconds, as they are stored. */
const inSeconds = (count) => new Date(Math.ceil(Date.now() / 1000 + count) * 1000).toISOString().replace(".000Z", "Z");
const remind = (user, title, triggerUtc) => user.post("/api/nexus/reminders", { title, triggerUtc });
const stateOf = (user, { reminderId }) => user.get(`/api/nexus/reminders/${reminderId}`);

/** The page tries again by itself, but after some time without a server only now and then. */
async function comeBack(page) {
  const now = page.getByRole("button", { name: "Try now" });
  const isBack = now.waitFor({ state: "detached" });
  await Promise.race([isBack, now.click().catch(() => undefined)]);
  await isBack;
}

await scene("reminders", (test) => {
  test("appear when they fire, and go when they are dismissed, in every tab", async ({ newUser, open }) => {
    const ada = await newUser();
    const page = await open("/account", { as: ada });
    const tab = await open("/calendar", { beside: page });
    await page.getByRole("heading", { name: "Account", level: 1 }).waitFor();
    const made = await remind(ada, "Call mother", inSeconds(2));
    const region = page.getByRole("region", { name: "Reminders" });
    await region.getByText("Call mother").waitFor();
    await expectAccessible(page);
    await tab.getByRole("button", { name: "Dismiss Call mother" }).waitFor();
    await page.getByRole("button", { name: "Dismiss Call mother" }).click();
    await region.getByText("Call mother").waitFor({ state: "detached" });
    await tab.getByRole("button", { name: "Dismiss Call mother" }).waitFor({ state: "detached" });
    await eventually(() => stateOf(ada, made), ({ state }) => assert.equal(state, "DISMISSED"));
  });

  test("of a time when the server was away come late, and say so", async ({ server, newUser, open, allow }) => {
    const ada = await newUser();
    await setZone(ada, "UTC");
    const page = await open("/account", { as: ada, timezoneId: "UTC" });
    await page.getByRole("heading", { name: "Account", level: 1 }).waitFor();
    const made = await remind(ada, "Take the bread out", inSeconds(60));
    allow(kNobodyAnswers);
    await server.stop();
    assert.equal(await page.getByText("Take the bread out").count(), 0);
    await server.start({ aheadSeconds: 60 + kLateSeconds });
    await comeBack(page);
    const line = page.getByRole("region", { name: "Reminders" }).getByRole("listitem").filter({ hasText: "Take the bread out" });
    await line.getByText("late", { exact: true }).waitFor();
    const [hour, minute] = made.triggerUtc.slice(11, 16).split(":");
    await line.getByText(`${Number(hour)}:${minute}`).waitFor(); // when it was meant for
    await expectAccessible(page);
    await page.getByRole("button", { name: "Dismiss Take the bread out" }).click();
    await eventually(() => stateOf(ada, made), ({ state, late: isLate }) => assert.deepEqual([state, isLate], ["DISMISSED", true]));
    await server.stop();
    await server.start();
  });

  test("are put off by keys, and come back", async ({ newUser, open }) => {
    const ada = await newUser();
    await setZone(ada, "Europe/Berlin");
    const page = await open("/account", { as: ada });
    await page.getByRole("heading", { name: "Account", level: 1 }).waitFor();
    const made = await remind(ada, "Stretch", inSeconds(1));
    const snooze = page.getByRole("button", { name: "Snooze Stretch" });
    await snooze.press("Enter");
    const menu = page.getByRole("menu", { name: "Remind me again in" });
    assert.deepEqual(await menu.getByRole("menuitem").allTextContents(), ["5 minutes", "10 minutes", "30 minutes", "1 hour", "Tomorrow at 9:00"]);
    await expectAccessible(page);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await snooze.waitFor({ state: "detached" });
    const snoozed = await eventually(() => stateOf(ada, made), ({ state }) => assert.equal(state, "SNOOZED"));
    assert.equal(snoozed.snoozeState.originalTriggerUtc, made.triggerUtc);
    // Its new time comes sooner than anybody could wait for.
    await ada.send("POST", `/api/nexus/reminders/${made.reminderId}/snooze`, { until: inSeconds(2) }, { "If-Match": `"${snoozed.version}"` });
    await snooze.click();
    await page.getByRole("menuitem", { name: "Tomorrow at 9:00" }).click();
    const tomorrow = await eventually(() => stateOf(ada, made), ({ state, snoozeState }) => assert.deepEqual([state, snoozeState.count], ["SNOOZED", 3]));
    assert.equal(new Date(tomorrow.triggerUtc).toLocaleTimeString("en-GB", { timeZone: "Europe/Berlin" }), "09:00:00");
  });

  test("are there after a reload, those of events with the time of the event", async ({ newUser, open }) => {
    const ada = await newUser();
    await setZone(ada, "UTC");
    const start = new Date(Date.now() + 10 * 60_000 + 10_000).toISOString().slice(0, 19);
    const end = new Date(Date.now() + 40 * 60_000).toISOString().slice(0, 19);
    await ada.post("/api/nexus/events", { title: "Review", startLocal: start, endLocal: end, startTzid: "UTC", reminderMinutes: [10] });
    const page = await open("/calendar", { as: ada, timezoneId: "UTC" });
    const region = page.getByRole("region", { name: "Reminders" });
    await region.getByText("Review").waitFor();
    await region.getByText(`at ${Number(start.slice(11, 13))}${start.slice(13, 16)}`).waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Dismiss Review" }).waitFor();
    for (const title of ["One", "Two", "Three"]) await remind(ada, title, inSeconds(0));
    await region.getByText("1 more").waitFor();
    await region.getByRole("button", { name: "Dismiss all" }).click();
    await region.getByRole("listitem").first().waitFor({ state: "detached" });
    await eventually(
      () => ada.get("/api/nexus/reminders/due"),
      ({ items }) => assert.deepEqual(items.filter(({ state }) => state === "FIRED"), []),
    );
  });
});
