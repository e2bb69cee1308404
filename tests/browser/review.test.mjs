// The week at a glance, and what can be done about it.
import assert from "node:assert/strict";
import { expectAccessible } from "./fixture/accessible.mjs";
import { picture, scene } from "./fixture/scene.mjs";
import { addDays, eventually, withTree } from "./today_plan.mjs";

const kUtc = { timezoneId: "UTC" };
const tile = (page, name) => page.locator(".review-tile", { hasText: name }).locator("dd");

await scene("the review page", (test) => {
  test("tells what a week did, and changes with it", async ({ newUser, open }) => {
    const ada = await newUser();
    const { today } = await withTree(ada);
    await ada.post("/api/values/nodes/book/complete");
    await ada.post("/api/values/nodes/shoes/archive");
    const page = await open("/review", { as: ada, ...kUtc });
    await page.getByRole("link", { name: "Read a book" }).first().waitFor();
    assert.deepEqual(await page.locator(".review-tile dd").allTextContents(), ["1", "7", "1", "0"]);
    await page.getByRole("link", { name: new RegExp(`${Number(today.slice(8))} \\w+: 1 completed, 7 added`) }).waitFor();
    await page.getByText("Nothing has gone untouched for two weeks.").waitFor();
    await expectAccessible(page);

    await ada.post("/api/values/nodes/run/complete");
    await eventually(
      () => tile(page, "Completed").textContent(),
      (count) => assert.equal(count, "2"),
    );

    // A milestone of which nothing is left is offered; completing it can be taken back.
    await page.getByRole("button", { name: "Complete Run a marathon" }).click();
    await eventually(
      () => ada.get("/api/values/nodes/marathon"),
      ({ node }) => assert.ok(node.completedAt),
    );
    await page.getByRole("button", { name: "Undo" }).click();
    await eventually(
      () => ada.get("/api/values/nodes/marathon"),
      ({ node }) => assert.equal(node.completedAt, undefined),
    );

    await page.keyboard.press("[");
    await page.waitForURL(/\/review\/\d{4}-\d\d-\d\d$/);
    await eventually(
      () => page.locator(".review-tile dd").allTextContents(),
      (counts) => assert.deepEqual(counts, ["0", "0", "0", "0"]),
    );
    await page.getByRole("button", { name: "This week" }).click();
    await page.waitForURL(/\/review$/);
  });

  test("completes and archives what lies still, by keyboard", async ({ newUser, open }) => {
    const ada = await newUser();
    const { today } = await withTree(ada);
    // Seen from a month on, all that is open is stale.
    const page = await open(`/review/${addDays(today, 35)}`, { as: ada, ...kUtc });
    const stale = page.getByRole("region", { name: "Stale" });
    await stale.getByRole("button", { name: "Complete Read a book" }).focus();
    assert.equal(await tile(page, "Stale").textContent(), "4");
    await expectAccessible(page);
    await page.keyboard.press("Enter");
    await eventually(
      () => ada.get("/api/values/nodes/book"),
      ({ node }) => assert.ok(node.completedAt),
    );
    await stale.getByRole("button", { name: "Archive all" }).click();
    await stale.getByText("Nothing has gone untouched").waitFor();
    await eventually(
      () => ada.get("/api/values/commits"),
      ({ items }) => assert.equal(items[0].source, "weekly_review"),
    );
    await page.getByRole("button", { name: "Undo" }).last().click();
    await stale.getByRole("link", { name: "Run five kilometres" }).waitFor();
    const { nodes } = await eventually(
      () => ada.get("/api/values"),
      (tree) => assert.equal(tree.nodes.filter(({ nodeType }) => nodeType === "ACTION").length, 4),
    );
    assert.ok(nodes.every(({ archived }) => !archived));
  });

  test("invites a newcomer", async ({ newUser, open }) => {
    const page = await open("/review", { as: await newUser(), ...kUtc });
    await page.getByRole("heading", { name: "Your weekly reviews will appear here" }).waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Add demo data" }).click();
    await page.locator(".driver").first().waitFor();
  });

  const looks = {
    "review-wide-light": {},
    "review-wide-dark": { dark: true },
    "review-narrow-light": { viewport: "phone" },
    "review-narrow-dark": { viewport: "phone", dark: true },
  };
  for (const [name, options] of Object.entries(looks)) {
    test(`${name} is readable for everybody`, async ({ newUser, open }) => {
      const ada = await newUser({ demo: true });
      const { today } = await ada.get("/api/plans/settings");
      const page = await open(`/review/${addDays(today, -7)}`, { as: ada, ...options, ...kUtc });
      await page.locator(".driver").first().waitFor();
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "not wider than its window");
      await expectAccessible(page);
      await picture(page, name);
    });
  }

  test("has nothing to press on paper", async ({ newUser, open }) => {
    const page = await open("/review", { as: await newUser({ demo: true }), ...kUtc });
    const archive = page.getByRole("button", { name: /^Archive / }).first();
    await archive.waitFor();
    await page.emulateMedia({ media: "print" });
    await archive.waitFor({ state: "hidden" });
    assert.equal(await page.locator(".week-picker").isVisible(), false);
    assert.ok(await page.locator(".driver").first().isVisible());
  });
});
