// Planning a day: by keyboard alone, and by mouse.
import assert from "node:assert/strict";
import { expectAccessible } from "./fixture/accessible.mjs";
import { scene } from "./fixture/scene.mjs";
import { addTodo, drag, eventuallyPlan, expectTitles, order, pointAt, times, withTree } from "./today_plan.mjs";

const kUtc = { timezoneId: "UTC" };

await scene("the today page", (test) => {
  test("plans a day by keyboard", async ({ newUser, open }) => {
    const ada = await newUser();
    const { tomorrow } = await withTree(ada);
    const page = await open(`/today/${tomorrow}`, { as: ada, ...kUtc });
    const { keyboard } = page;
    await page.getByRole("heading", { name: "What will you do on this day?" }).waitFor();

    // Two actions that are there, and one that is not.
    await keyboard.press("n");
    await keyboard.type("five");
    await page.getByRole("option", { name: /Run five kilometres/ }).waitFor();
    await keyboard.press("Enter");
    await keyboard.type("craft book");
    await keyboard.press("Enter");
    await keyboard.type("Stretch every evening");
    await keyboard.press("Enter");
    await keyboard.type("healthy");
    await page.getByRole("option", { name: "Stay healthy", exact: true }).waitFor();
    await keyboard.press("Enter");
    await expectTitles(page, ["Run five kilometres", "Read a book", "Stretch every evening"]);
    await keyboard.press("Escape");

    await keyboard.press("j");
    await keyboard.press("Alt+ArrowDown");
    await expectTitles(page, ["Read a book", "Run five kilometres", "Stretch every evening"]);
    await keyboard.press("1");
    await keyboard.press("+");
    await keyboard.press("+");
    await keyboard.press("p");
    await keyboard.press("e");
    await page.getByLabel("Notes", { exact: true }).waitFor();
    await keyboard.type("Along the river");
    await keyboard.press("Escape");

    const plan = await eventuallyPlan(ada, tomorrow, (now) => {
      assert.equal(now.todos[1]?.notes, "Along the river");
      assert.deepEqual(times(now), ["POMODORO 09:00-09:25"]);
    });
    assert.match(order(plan), /^book run /);
    assert.deepEqual([plan.todos[1].classification, plan.todos[1].estimatedPomodoros], ["urgent", 2]);
    assert.equal(plan.blocks[0].actionId, "run");
    const tree = await ada.get("/api/values");
    const made = tree.nodes.find(({ title }) => title === "Stretch every evening");
    assert.equal(made.driverId, "health");

    // Completing moves both heads; Ctrl Z takes it back.
    await keyboard.press("x");
    await page.getByText("Completed “Run five kilometres”.").waitFor();
    await eventuallyPlan(ada, tomorrow, (now) => assert.ok(now.todos[1].completedAt));
    assert.ok((await ada.get("/api/values/nodes/run")).node.completedAt);
    await keyboard.press("Control+z");
    await eventuallyPlan(ada, tomorrow, (now) => assert.equal(now.todos[1].completedAt, undefined));

    await keyboard.press("Delete");
    await expectTitles(page, ["Read a book", "Stretch every evening"]);
    await keyboard.press("Control+z");
    await expectTitles(page, ["Read a book", "Run five kilometres", "Stretch every evening"]);
    await eventuallyPlan(ada, tomorrow, (now) => {
      assert.match(order(now), /^book run /);
      assert.equal(now.blocks.length, 1, "its pomodoro is back as well");
    });
    await expectAccessible(page);
  });

  test("makes, moves and removes blocks by keyboard", async ({ newUser, open }) => {
    const ada = await newUser();
    const { tomorrow } = await withTree(ada);
    await addTodo(ada, tomorrow, "run");
    const page = await open(`/today/${tomorrow}`, { as: ada, ...kUtc });
    const { keyboard } = page;
    await page.locator(".todo-title").waitFor();

    const newBlock = async (kind, from, until) => {
      await keyboard.press("b");
      const dialog = page.getByRole("dialog", { name: "New block" });
      await dialog.getByText(kind, { exact: true }).click();
      await dialog.getByLabel("From").fill(from);
      await dialog.getByLabel("Until").fill(until);
      await keyboard.press("Enter");
      return dialog;
    };
    const dialog = await newBlock("Meeting", "14:00", "15:00");
    await dialog.waitFor({ state: "hidden" });
    await eventuallyPlan(ada, tomorrow, (plan) => assert.deepEqual(times(plan), ["MEETING 14:00-15:00"]));

    // What overlaps is refused where it was typed, and nothing typed is lost.
    const refused = await newBlock("Break", "14:30", "15:30");
    await refused.getByText("The break at 14:30 starts before the meeting at 14:00 ends. Only buffers may overlap others.").waitFor();
    assert.equal(await refused.getByLabel("From").inputValue(), "14:30");
    await expectAccessible(page);
    await refused.getByLabel("From").fill("15:00");
    await keyboard.press("Enter");
    await refused.waitFor({ state: "hidden" });

    const meeting = page.getByRole("button", { name: /^Meeting / });
    await meeting.focus();
    await keyboard.press("ArrowUp");
    await keyboard.press("ArrowUp");
    await keyboard.press("Shift+ArrowDown");
    await eventuallyPlan(ada, tomorrow, (plan) => assert.deepEqual(times(plan), ["MEETING 13:50-14:55", "BREAK 15:00-15:30"]));
    const before = await ada.get(`/api/plans/${tomorrow}/commits`);
    assert.equal(before.items.length, 4, "three presses of keys are one change");
    await keyboard.press("Delete");
    await eventuallyPlan(ada, tomorrow, (plan) => assert.deepEqual(times(plan), ["BREAK 15:00-15:30"]));
  });

  test("plans a day by mouse", async ({ newUser, open }) => {
    const ada = await newUser();
    const { tomorrow } = await withTree(ada);
    for (const action of ["run", "shoes", "book"]) await addTodo(ada, tomorrow, action);
    const page = await open(`/today/${tomorrow}`, { as: ada, ...kUtc });
    await expectTitles(page, ["Run five kilometres", "Buy running shoes", "Read a book"]);
    const middle = async (locator) => {
      const box = await locator.boundingBox();
      return { x: box.x + box.width / 3, y: box.y + box.height / 2 };
    };
    const row = (index) => page.locator(".todo-line").nth(index);

    const last = await middle(row(2));
    const first = await middle(row(0));
    await drag(page, last, { x: first.x, y: first.y - 20 });
    await eventuallyPlan(ada, tomorrow, (plan) => assert.equal(order(plan), "book run shoes"));

    // A todo onto the timeline.
    const ten = await pointAt(page, 10 * 60);
    await drag(page, await middle(row(1)), { x: ten.x, y: ten.y + 12 });
    const planned = await eventuallyPlan(ada, tomorrow, (plan) => assert.deepEqual(times(plan), ["POMODORO 10:00-10:25"]));
    assert.equal(planned.blocks[0].actionId, "run");

    // Over free time.
    const eleven = await pointAt(page, 11 * 60);
    await drag(page, eleven, { x: eleven.x, y: eleven.y + 60 * 1.6 });
    const dialog = page.getByRole("dialog", { name: "New block" });
    await dialog.getByText("Meeting", { exact: true }).click();
    assert.deepEqual([await dialog.getByLabel("From").inputValue(), await dialog.getByLabel("Until").inputValue()], ["11:00", "12:00"]);
    await dialog.getByRole("button", { name: "Add" }).click();
    await dialog.waitFor({ state: "hidden" });
    await eventuallyPlan(ada, tomorrow, (plan) => assert.deepEqual(times(plan), ["POMODORO 10:00-10:25", "MEETING 11:00-12:00"]));

    // By its middle, by its edge, and over another one.
    const meeting = page.locator(".block-meeting");
    await meeting.waitFor();
    const centre = await pointAt(page, 11 * 60 + 30);
    await drag(page, centre, { x: centre.x, y: centre.y + 20 * 1.6 });
    await eventuallyPlan(ada, tomorrow, (plan) => assert.equal(times(plan)[1], "MEETING 11:20-12:20"));
    await meeting.getByText("11:20 – 12:20").waitFor();
    const edge = await pointAt(page, 12 * 60 + 20);
    await drag(page, { x: edge.x, y: edge.y - 1 }, { x: edge.x, y: edge.y + 39 * 1.6 });
    await eventuallyPlan(ada, tomorrow, (plan) => assert.equal(times(plan)[1], "MEETING 11:20-13:00"));
    await meeting.getByText("11:20 – 13:00").waitFor();
    const pomodoro = await pointAt(page, 10 * 60 + 12);
    const rival = await pointAt(page, 12 * 60 + 12);
    const back = await pointAt(page, 10 * 60 + 12);
    await drag(page, back, { x: pomodoro.x, y: back.y + (rival.y - pomodoro.y || 120 * 1.6) });
    await page.getByRole("alert").getByText(/Only buffers may overlap others/).waitFor();
    await page.locator(".block-pomodoro").getByText("10:00 – 10:25").waitFor();
    await expectAccessible(page);

    await page.getByRole("checkbox", { name: "Read a book: done" }).check();
    await eventuallyPlan(ada, tomorrow, (plan) => assert.ok(plan.todos[0].completedAt));
    await page.getByRole("button", { name: "Undo" }).click();
    await eventuallyPlan(ada, tomorrow, (plan) => assert.equal(plan.todos[0].completedAt, undefined));
  });

  test("leads a newcomer, and fills in demo data", async ({ newUser, open }) => {
    const ada = await newUser();
    const page = await open("/today", { as: ada, ...kUtc });
    await page.getByRole("heading", { name: "Plan your day from what matters to you" }).waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Add demo data" }).click();
    await page.locator(".todo-title").first().waitFor();
  });

  test("follows the settings: zone, start of the day", async ({ newUser, open }) => {
    const ada = await newUser();
    const { tomorrow } = await withTree(ada);
    await addTodo(ada, tomorrow, "run");
    await ada.post(`/api/plans/${tomorrow}/blocks`, { blockType: "MEETING", start: `${tomorrow}T10:00:00.000Z`, end: `${tomorrow}T11:00:00.000Z` });
    const page = await open(`/today/${tomorrow}`, { as: ada, timezoneId: "Asia/Kabul" });
    await page.getByText("10:00 – 11:00").waitFor();
    await page.getByRole("button", { name: "Use Asia/Kabul" }).click();
    await page.getByText("14:30 – 15:30").waitFor();
    await page.getByRole("button", { name: "More for this day" }).click();
    await page.getByRole("menuitem", { name: "Day settings" }).click();
    const dialog = page.getByRole("dialog", { name: "Day settings" });
    await dialog.getByLabel("Day starts at").selectOption("4");
    await dialog.getByText("Bring unfinished todos over").click();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "hidden" });
    const settings = await ada.get("/api/plans/settings");
    assert.deepEqual([settings.timezone, settings.dayStartHour, settings.autoRollover], ["Asia/Kabul", 4, true]);
    await page.locator(".hour span").first().getByText("4:00").waitFor();
  });
});
