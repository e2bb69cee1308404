// The pomodoro timer, with a clock that the test moves.
import assert from "node:assert/strict";
import { expectAccessible } from "./fixture/accessible.mjs";
import { scene } from "./fixture/scene.mjs";
import { addTodo, eventually, eventuallyPlan, times, withTree } from "./today_plan.mjs";

/** Ten in the morning of the day it is for the server: a day that both agree on. */
async function openAtTen(open, user, today) {
  const page = await open("/today", { as: user, timezoneId: "UTC" });
  await page.clock.install({ time: new Date(`${today}T10:00:00.000Z`) });
  await page.reload();
  await page.locator(".todo-title").first().waitFor();
  return page;
}

/** The title of the window; the clock of the page goes on by itself, so a pattern leaves it a minute. */
const titleIs = (page, pattern) => page.waitForFunction((source) => new RegExp(source).test(document.title), pattern.source);

await scene("the pomodoro timer", (test) => {
  test("runs, pauses, survives a reload, and offers what comes next", async ({ newUser, open }) => {
    const ada = await newUser();
    const { today } = await withTree(ada);
    await addTodo(ada, today, "run");
    const page = await openAtTen(open, ada, today);
    const timer = page.getByRole("region", { name: "Pomodoro timer" });

    await page.keyboard.press("j");
    await page.keyboard.press("s");
    await timer.getByText("Run five kilometres").waitFor();
    await eventuallyPlan(ada, today, (plan) => assert.deepEqual(times(plan), ["POMODORO 10:00-10:25"]));
    await page.clock.fastForward("05:00");
    await titleIs(page, /^(20:00|19:\d\d) · Today/);

    await timer.getByRole("button", { name: "Pause" }).click();
    await timer.getByText("Paused").waitFor();
    const left = await timer.getByRole("timer").textContent();
    await page.clock.fastForward("10:00");
    await page.reload();
    await timer.getByText("Paused").waitFor();
    assert.equal(await timer.getByRole("timer").textContent(), left);
    await page.keyboard.press("Shift+S");
    await timer.getByRole("button", { name: "Pause" }).waitFor();
    await page.clock.fastForward("01:00");
    await titleIs(page, /^1[89]:\d\d · /);
    await expectAccessible(page);

    // In another tab it is the same timer.
    const tab = await open("/today", { beside: page });
    await tab.getByRole("region", { name: "Pomodoro timer" }).getByText("Run five kilometres").waitFor();
    await tab.close();

    await page.clock.fastForward("20:00");
    await titleIs(page, /^Time is up · /);
    await page.getByLabel("Messages").getByText("Pomodoro finished: Run five kilometres.").waitFor();
    await eventuallyPlan(ada, today, (plan) => assert.deepEqual(times(plan), ["POMODORO 10:00-10:25"], "kept as it was planned"));
    await expectAccessible(page);
    await timer.getByRole("button", { name: "Take a break" }).click();
    await titleIs(page, /^(5:00|4:\d\d) · /);
    await timer.getByRole("button", { name: "End the break" }).click();
    await page.getByLabel("Messages").getByText("The break is over.").waitFor();
    await timer.getByRole("button", { name: "Close the timer" }).click();
    await page.waitForFunction(() => document.title === "Today · Cairn");
  });

  test("starts from a block, and completes the action when it is over", async ({ newUser, open }) => {
    const ada = await newUser();
    const { today } = await withTree(ada);
    await addTodo(ada, today, "book");
    const block = { blockType: "POMODORO", actionId: "book", start: `${today}T10:00:00.000Z`, end: `${today}T10:50:00.000Z` };
    await ada.post(`/api/plans/${today}/blocks`, block);
    const page = await openAtTen(open, ada, today);
    await page.locator(".block-pomodoro").hover();
    await page.getByRole("button", { name: "Start Read a book" }).click();
    await titleIs(page, /^(50:00|49:\d\d) · /);

    // The timer goes on elsewhere, and so does what it says.
    await page.getByRole("link", { name: "Review" }).click();
    await page.getByRole("heading", { name: "Review", level: 1 }).waitFor();
    await page.clock.fastForward("50:01");
    const done = page.getByRole("listitem").filter({ hasText: "Is “Read a book” done?" });
    await done.getByRole("button", { name: "Complete" }).click();
    await eventuallyPlan(ada, today, (plan) => assert.ok(plan.todos[0].completedAt));
    await eventually(
      () => ada.get("/api/values/nodes/book"),
      ({ node }) => assert.ok(node.completedAt),
    );
  });
});
