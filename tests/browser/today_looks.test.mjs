// How the day looks: wide and narrow, light and dark; by touch.
import assert from "node:assert/strict";
import { expectAccessible } from "./fixture/accessible.mjs";
import { picture, scene } from "./fixture/scene.mjs";
import { addTodo, eventuallyPlan, times, withTree } from "./today_plan.mjs";

const kUtc = { timezoneId: "UTC" };

await scene("how the day looks", (test) => {
  const looks = {
    "today-wide-light": {},
    "today-wide-dark": { dark: true },
    "today-narrow-light": { viewport: "phone" },
    "today-narrow-dark": { viewport: "phone", dark: true },
  };
  for (const [name, options] of Object.entries(looks)) {
    test(`${name} is readable for everybody`, async ({ newUser, open }) => {
      const ada = await newUser({ demo: true, displayName: "Ada" });
      const { today } = await ada.get("/api/plans/settings");
      const page = await open("/today", { as: ada, ...options, ...kUtc });
      await page.clock.install({ time: new Date(`${today}T09:05:00.000Z`) });
      await page.reload();
      await page.locator(".todo-title").first().focus();
      await page.keyboard.press("s");
      await page.getByRole("region", { name: "Pomodoro timer" }).waitFor();
      await page.clock.fastForward("06:40");
      await page.evaluate(() => document.activeElement?.blur());
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "not wider than its window");
      await expectAccessible(page);
      await picture(page, name);
      if (options.viewport !== "phone") return;
      await page.getByRole("tab", { name: "Timeline" }).click();
      await page.locator(".timeline-scroll").waitFor();
      await expectAccessible(page);
      await picture(page, name.replace("narrow", "narrow-timeline"));
    });
  }

  test("a day is planned by touch", async ({ newUser, open }) => {
    const ada = await newUser();
    const { tomorrow } = await withTree(ada);
    await addTodo(ada, tomorrow, "run");
    const page = await open(`/today/${tomorrow}`, { as: ada, viewport: "phone", ...kUtc });
    await page.getByRole("combobox", { name: "Add a todo" }).tap();
    await page.getByRole("option", { name: /Read a book/ }).tap();
    await page.getByRole("button", { name: "More for Run five kilometres" }).tap();
    await page.getByRole("menuitem", { name: "Plan a pomodoro" }).tap();
    const plan = await eventuallyPlan(ada, tomorrow, (now) => assert.deepEqual(times(now), ["POMODORO 09:00-09:25"]));
    assert.equal(plan.todos.length, 2);
    await page.getByRole("tab", { name: "Timeline" }).tap();
    await page.getByRole("button", { name: /^Run five kilometres .*pomodoro 1/ }).tap();
    const sheet = page.getByRole("dialog", { name: "Edit block" });
    await sheet.getByRole("button", { name: "50 min" }).tap();
    await sheet.getByRole("button", { name: "Save" }).tap();
    await eventuallyPlan(ada, tomorrow, (now) => assert.deepEqual(times(now), ["POMODORO 09:00-09:50"]));
  });
});
