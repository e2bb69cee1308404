// What the tests about days share: a small tree, the days around today, and waiting for what the server has.
import assert from "node:assert/strict";

const kWaitMs = 15_000;

/** A driver with a milestone and four actions; settings as they are for a newcomer (UTC). */
export async function withTree(user) {
  const add = (nodeId, nodeType, title, parentId) => ({ op: "add", nodeId, nodeType, title, ...(parentId ? { parentId } : {}) });
  await user.post("/api/values/commits", {
    operations: [
      add("health", "DRIVER", "Stay healthy"),
      add("marathon", "MILESTONE", "Run a marathon", "health"),
      add("run", "ACTION", "Run five kilometres", "marathon"),
      add("shoes", "ACTION", "Buy running shoes", "marathon"),
      add("sleep", "ACTION", "Sleep before eleven", "health"),
      add("craft", "DRIVER", "Grow in my craft"),
      add("book", "ACTION", "Read a book", "craft"),
    ],
  });
  const { today } = await user.get("/api/plans/settings");
  return { today, tomorrow: addDays(today, 1), yesterday: addDays(today, -1) };
}

export function addDays(day, count) {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + count);
  return at.toISOString().slice(0, 10);
}

export const addTodo = (user, day, actionId, more = {}) => user.post(`/api/plans/${day}/todos`, { actionId, ...more });

export const planOf = (user, day) => user.get(`/api/plans/${day}`);

/** "run shoes" */
export const order = (plan) => plan.todos.map(({ actionId }) => actionId).join(" ");

/** "MEETING 14:00-15:00" */
export const times = (plan) => plan.blocks.map(({ blockType, start, end }) => `${blockType} ${start.slice(11, 16)}-${end.slice(11, 16)}`);

/** Until what the server has satisfies `check`, which throws while it does not. */
export async function eventually(read, check) {
  const until = Date.now() + kWaitMs;
  for (;;) {
    const value = await read();
    try {
      check(value);
      return value;
    } catch (failure) {
      if (Date.now() > until) throw failure;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

export const eventuallyPlan = (user, day, check) => eventually(() => planOf(user, day), check);

/** Where a moment of the day is on the screen: the hours are elapsed minutes from the top. */
export async function pointAt(page, minute) {
  await page.locator(".timeline-scroll").evaluate((scroller, top) => (scroller.scrollTop = top - 200), minute * 1.6);
  const box = await page.locator(".timeline-surface").boundingBox();
  return { x: box.x + box.width / 2, y: box.y + minute * 1.6 };
}

/** Presses, moves and lets go, as a hand does. */
export async function drag(page, from, to) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x, from.y + 8, { steps: 2 });
  await page.mouse.move(to.x, to.y, { steps: 8 });
  // What is dragged follows once per frame.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await page.mouse.up();
}

export async function expectTitles(page, titles) {
  await eventually(
    () => page.locator(".todo-title").allTextContents(),
    (shown) => assert.deepEqual(shown, titles),
  );
}
