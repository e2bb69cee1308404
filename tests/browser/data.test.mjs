// The Data page: the stored items behind what the user sees.
import assert from "node:assert/strict";
import { expectAccessible } from "./fixture/accessible.mjs";
import { picture, scene } from "./fixture/scene.mjs";

const clipboard = { permissions: ["clipboard-read", "clipboard-write"] };
const copied = (page) => page.evaluate(() => navigator.clipboard.readText());

await scene("the data page", (test) => {
  test("leads from the log to the tree and back", async ({ newUser, open }) => {
    const ada = await newUser({ demo: true, displayName: "Ada" });
    const page = await open("/data", { as: ada });
    await page.getByRole("heading", { name: "How to read this" }).waitFor();
    await expectAccessible(page);
    await page.getByRole("link", { name: /^Log of the tree/ }).click();
    const head = page.getByRole("row", { name: /HEAD#VALUES/ });
    await head.getByText("ValuesHead").waitFor();
    await expectAccessible(page);
    await picture(page, "data-wide-light");

    await head.getByRole("link", { name: /ValuesNode, ValuesEdge/ }).click();
    await page.getByRole("heading", { name: "Current tree" }).waitFor();
    await page.getByText("Parent and child as of one revision").waitFor(); // the model's own words
    assert.equal(await page.locator(".start[aria-current]").textContent().then((text) => text.startsWith("Current tree")), true);
    await page.keyboard.press("u");
    await page.getByRole("heading", { name: /^Log of the tree/ }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "Current tree" }).waitFor();
  });

  test("shows every item, page by page, and filters them", async ({ newUser, open }) => {
    const ada = await newUser({ demo: true });
    const tree = (await ada.get("/api/data/partitions")).items.find(({ label }) => label === "Current tree");
    const place = new URLSearchParams({ table: tree.table, partition: tree.partition, limit: "100" });
    const { items } = await ada.get(`/api/data/items?${place}`);
    const nodes = items.filter(({ entity }) => entity === "ValuesNode");
    const page = await open("/data", { as: ada });
    await page.getByRole("link", { name: /^Current tree/ }).click();
    await page.getByText("50 read, there are more.").waitFor();
    await page.getByRole("button", { name: "Load more" }).click();
    const all = items.length;
    await page.getByText(`${all} items.`).waitFor();
    assert.equal(await page.locator(".item").count(), all);
    await page.getByLabel("Entity").selectOption("ValuesNode");
    await page.getByText(`${nodes.length} of ${all}.`).waitFor();
    await page.getByLabel("Filter the items").fill("there is no such text");
    await page.getByRole("heading", { name: "No items match the filter" }).waitFor();
  });

  test("copies items and commands", async ({ newUser, open }) => {
    const ada = await newUser({ demo: true });
    const page = await open("/data", { as: ada, ...clipboard });
    await page.getByRole("link", { name: /^Log of the tree/ }).click();
    await page.getByRole("button", { name: /^HEAD#VALUES/ }).press("Enter");
    await page.getByRole("button", { name: "Copy as JSON" }).click();
    await page.getByText("Item copied.").waitFor();
    assert.equal(JSON.parse(await copied(page)).PK, `U#${ada.userId}`);

    await page.getByText("DynamoDB JSON", { exact: true }).click();
    await page.getByRole("button", { name: "Copy as JSON" }).click();
    await page.waitForFunction(() => navigator.clipboard.readText().then((text) => text.includes('"S"')));
    assert.deepEqual(JSON.parse(await copied(page)).PK, { S: `U#${ada.userId}` });

    await page.getByRole("button", { name: "Copy", exact: true }).click();
    await page.getByRole("menuitem", { name: /As aws dynamodb query/ }).click();
    await page.waitForFunction(() => navigator.clipboard.readText().then((text) => text.startsWith("aws dynamodb query")));
    assert.match(await copied(page), new RegExp(`"S":"U#${ada.userId}"`));
  });

  test("what changes elsewhere is read again and marked", async ({ newUser, open }) => {
    const ada = await newUser({ demo: true });
    const page = await open("/data", { as: ada });
    await page.getByRole("link", { name: /^Log of the tree/ }).click();
    const head = page.getByRole("row", { name: /HEAD#VALUES/ });
    await head.waitFor();
    const tree = await open("/data", { beside: page });
    await tree.getByRole("link", { name: /^Current tree/ }).click();
    await tree.getByText("there are more").waitFor();

    await ada.post("/api/values/nodes", { nodeType: "DRIVER", title: "Curiosity" });
    await head.getByText("Changed").waitFor();
    await page.getByRole("status").filter({ hasText: /Latest change: .*1 item changed/ }).waitFor();
    await page.getByRole("button", { name: "Show change" }).click();
    assert.equal(await page.evaluate(() => document.activeElement.closest(".item").classList.contains("item-changed")), true);
    await tree.getByText("“Current tree” is another partition by now.").waitFor();
    await tree.getByRole("button", { name: "Show it" }).click();
    await tree.getByLabel("Filter the items").fill("Curiosity");
    await tree.getByRole("button", { name: "Load more" }).click();
    await tree.getByText("Curiosity").first().waitFor();
  });

  test("nobody sees what is another's", async ({ newUser, open }) => {
    const [ada, eve] = [await newUser({ demo: true }), await newUser()];
    const page = await open(`/data?table=App&partition=${encodeURIComponent(`U#${ada.userId}`)}`, { as: eve });
    await page.getByText("There is no such partition, or it is not yours.").waitFor();
    await expectAccessible(page);
  });

  test("reads well on a phone, in the dark", async ({ newUser, open }) => {
    const page = await open("/data", { as: await newUser({ demo: true }), viewport: "phone", dark: true });
    await page.getByRole("link", { name: /^Today's plan/ }).tap();
    await page.locator(".item-toggle").first().tap();
    await page.getByRole("group", { name: "The item as JSON" }).waitFor();
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wider <= 0, `the page is ${wider} px wider than the screen`);
    await expectAccessible(page);
    await picture(page, "data-narrow-dark");
  });
});
