// Bringing over, scheduling, stepping back, and two tabs at once.
import assert from "node:assert/strict";
import { expectAccessible } from "./fixture/accessible.mjs";
import { picture, scene } from "./fixture/scene.mjs";
import { kNobodyAnswers } from "./fixture/watch.mjs";
import { addTodo, eventuallyPlan, expectTitles, order, planOf, times, withTree } from "./today_plan.mjs";

const kUtc = { timezoneId: "UTC" };

await scene("flows of a day", (test) => {
  test("brings over what was left, once", async ({ newUser, open }) => {
    const ada = await newUser();
    const { today, tomorrow } = await withTree(ada);
    await addTodo(ada, today, "run", { classification: "urgent", notes: "Slowly" });
    await addTodo(ada, today, "book");
    await addTodo(ada, today, "shoes");
    await ada.post(`/api/plans/${today}/todos/book/complete`);
    await addTodo(ada, tomorrow, "sleep");
    const page = await open(`/today/${tomorrow}`, { as: ada, ...kUtc });
    const banner = page.getByRole("region", { name: "Unfinished todos of today" });
    await banner.getByText("Run five kilometres · Buy running shoes").waitFor();
    await expectAccessible(page);
    await banner.getByRole("button", { name: "Bring over" }).click();
    await expectTitles(page, ["Sleep before eleven", "Run five kilometres", "Buy running shoes"]);
    await banner.waitFor({ state: "hidden" });
    const plan = await eventuallyPlan(ada, tomorrow, (now) => assert.equal(order(now), "sleep run shoes"));
    assert.deepEqual([plan.todos[1].classification, plan.todos[1].notes, plan.todos[1].rolledFrom], ["urgent", "Slowly", today]);
    await page.getByRole("button", { name: "Undo" }).click();
    await eventuallyPlan(ada, tomorrow, (now) => assert.equal(order(now), "sleep"));
    await banner.waitFor();
  });

  test("shows a schedule before it is made", async ({ newUser, open }) => {
    const ada = await newUser();
    const { tomorrow } = await withTree(ada);
    await addTodo(ada, tomorrow, "run", { estimatedPomodoros: 1 });
    await addTodo(ada, tomorrow, "book", { estimatedPomodoros: 3, classification: "urgent" });
    await ada.post(`/api/plans/${tomorrow}/blocks`, { blockType: "MEETING", start: `${tomorrow}T09:30:00.000Z`, end: `${tomorrow}T10:00:00.000Z` });
    const page = await open(`/today/${tomorrow}`, { as: ada, ...kUtc });
    await page.locator(".todo-title").first().waitFor();
    await page.keyboard.press("w");
    const panel = page.getByRole("region", { name: "Schedule the day" });
    await panel.getByLabel("Until").fill("11:00");
    await panel.getByText("Run five kilometres").waitFor();
    await panel.getByText("3 pomodoros").waitFor();
    assert.equal(await page.locator(".block-ghost.block-pomodoro").count(), 3);
    assert.deepEqual(times(await planOf(ada, tomorrow)), ["MEETING 09:30-10:00"], "nothing is done yet");
    await expectAccessible(page);
    await picture(page, "today-schedule-light");

    await panel.getByRole("button", { name: "Cancel" }).click();
    await page.locator(".block-ghost").first().waitFor({ state: "detached" });
    await page.keyboard.press("w");
    await panel.getByLabel("Until").fill("11:00");
    await panel.getByText("Does not fit:").waitFor();
    await panel.getByRole("button", { name: "Accept" }).click();
    const expected = ["POMODORO 09:00-09:25", "MEETING 09:30-10:00", "POMODORO 10:00-10:25", "BREAK 10:25-10:30", "POMODORO 10:30-10:55"];
    await eventuallyPlan(ada, tomorrow, (plan) => assert.deepEqual(times(plan), expected));
    await page.getByRole("button", { name: "Undo" }).click();
    await eventuallyPlan(ada, tomorrow, (plan) => assert.deepEqual(times(plan), ["MEETING 09:30-10:00"]));
  });

  test("steps back through the day and brings a state back", async ({ newUser, open }) => {
    const ada = await newUser();
    const { tomorrow } = await withTree(ada);
    await addTodo(ada, tomorrow, "run");
    await addTodo(ada, tomorrow, "book");
    await ada.send("PATCH", `/api/plans/${tomorrow}/todos/run`, { classification: "urgent" });
    await ada.send("DELETE", `/api/plans/${tomorrow}/todos/run`);
    const page = await open(`/today/${tomorrow}`, { as: ada, ...kUtc });
    await expectTitles(page, ["Read a book"]);
    await page.keyboard.press("h");
    const history = page.getByRole("region", { name: "Revisions of the day" });
    await history.getByText("Removed “Run five kilometres”.").waitFor();
    await page.keyboard.press("ArrowLeft");
    await history.getByText("“Run five kilometres” is urgent now.").waitFor();
    await expectTitles(page, ["Run five kilometres", "Read a book"]);
    assert.equal(await page.getByRole("combobox", { name: "Add a todo" }).count(), 0, "an earlier state is to look at");
    await expectAccessible(page);
    await picture(page, "today-history-light");
    await history.getByRole("slider", { name: "Revision" }).fill("0");
    await history.getByText("Added “Run five kilometres”.").waitFor();
    await expectTitles(page, ["Run five kilometres"]);
    await history.getByRole("button", { name: "Next revision" }).click();
    await expectTitles(page, ["Run five kilometres", "Read a book"]);
    await history.getByRole("tab", { name: "What restoring it would change" }).click();
    await history.getByText("Added “Run five kilometres”.").waitFor();
    await history.getByRole("button", { name: "Restore this" }).click();
    await history.waitFor({ state: "hidden" });
    await eventuallyPlan(ada, tomorrow, (plan) => assert.equal(order(plan), "run book"));
    await page.getByRole("button", { name: "Undo" }).click();
    await eventuallyPlan(ada, tomorrow, (plan) => assert.equal(order(plan), "book"));
    const { items } = await ada.get(`/api/plans/${tomorrow}/commits`);
    assert.equal(items.length, 6, "nothing of the history went away");
  });

  test("shows another tab's change while somebody types", async ({ newUser, open }) => {
    const ada = await newUser();
    const { tomorrow } = await withTree(ada);
    await addTodo(ada, tomorrow, "run");
    await addTodo(ada, tomorrow, "book");
    const page = await open(`/today/${tomorrow}`, { as: ada, ...kUtc });
    const tab = await open(`/today/${tomorrow}`, { beside: page });
    await tab.locator(".todo-title").first().waitFor();
    await page.getByRole("button", { name: "Run five kilometres", exact: true }).click();
    const notes = page.getByLabel("Notes", { exact: true });
    await notes.pressSequentially("Half a thou");

    // Adding, moving, renaming elsewhere.
    await tab.getByRole("button", { name: "Run five kilometres", exact: true }).focus();
    await tab.keyboard.press("Alt+ArrowDown");
    await expectTitles(page, ["Read a book", "Run five kilometres"]);
    await ada.send("PATCH", "/api/values/nodes/book", { title: "Read two books" });
    await expectTitles(page, ["Read two books", "Run five kilometres"]);
    assert.equal(await notes.inputValue(), "Half a thou");
    assert.ok(await notes.evaluate((field) => field === document.activeElement), "the focus stays");
    await page.keyboard.type("ght");
    await page.keyboard.press("Escape");
    await eventuallyPlan(ada, tomorrow, (plan) => assert.equal(plan.todos[1].notes, "Half a thought"));
    await tab.getByText("Half a thought").waitFor();
  });

  test("keeps what is done without a connection, and sends it after", async ({ newUser, open, allow }) => {
    const ada = await newUser();
    const { tomorrow } = await withTree(ada);
    await addTodo(ada, tomorrow, "run");
    const page = await open(`/today/${tomorrow}`, { as: ada, ...kUtc });
    await page.locator(".todo-facts").first().waitFor(); // the plan and the tree are there
    allow(kNobodyAnswers);
    await page.context().setOffline(true);
    await page.keyboard.press("n");
    await page.keyboard.type("book");
    await page.keyboard.press("Enter");
    await expectTitles(page, ["Run five kilometres", "Read a book"]);
    assert.equal(order(await planOf(ada, tomorrow)), "run");
    await page.context().setOffline(false);
    await eventuallyPlan(ada, tomorrow, (plan) => assert.equal(order(plan), "run book"));
  });

  test("explains what two tabs changed differently", async ({ newUser, open, allow }) => {
    const ada = await newUser();
    const { tomorrow } = await withTree(ada);
    await addTodo(ada, tomorrow, "run");
    const page = await open(`/today/${tomorrow}`, { as: ada, ...kUtc });
    await page.locator(".todo-title").first().focus();
    allow(kNobodyAnswers);
    await page.context().setOffline(true);
    await page.keyboard.press("1");
    await page.getByRole("button", { name: "Urgent. Change" }).waitFor();
    await ada.send("PATCH", `/api/plans/${tomorrow}/todos/run`, { classification: "important", notes: "From elsewhere" });
    await page.context().setOffline(false);
    const message = page.getByLabel("Messages").getByText(/Another tab changed the same thing/);
    await message.waitFor();
    await page.getByRole("button", { name: "Important. Change" }).waitFor();
    await page.getByRole("button", { name: "Use mine" }).click();
    const plan = await eventuallyPlan(ada, tomorrow, (now) => assert.equal(now.todos[0].classification, "urgent"));
    assert.equal(plan.todos[0].notes, "From elsewhere", "the rest is merged");
  });
});
