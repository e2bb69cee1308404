// What holds for every page: readable by all in both themes, at home on a phone, small, and content with its own host.
import assert from "node:assert/strict";
import { expectAccessible } from "./fixture/accessible.mjs";
import { hold, scene } from "./fixture/scene.mjs";

const kPages = { Today: "/today", Calendar: "/calendar", "Calendar settings": "/calendar/settings", Board: "/board", Notes: "/notes", Values: "/values", Review: "/review", Data: "/data", Account: "/account" };
const kFirstLoadBytesMax = 250 * 1000;

/** Until the page shows its own, and asks for nothing more. */
async function arrive(page) {
  await page.locator("main h1").first().waitFor();
  await page.locator(".skeleton").first().waitFor({ state: "detached" });
  await page.waitForLoadState("networkidle");
}

await scene("every page", (test) => {
  for (const dark of [false, true]) {
    const theme = dark ? "in the dark" : "in the light";
    test(`can be read by everybody, ${theme}`, async ({ newUser, open }) => {
      const ada = await newUser({ demo: true, displayName: "Ada" });
      const page = await open("/sign-in", { dark });
      for (const path of ["/sign-in", "/sign-up"]) {
        await page.goto(new URL(path, page.url()).href);
        await page.getByRole("textbox").first().waitFor();
        await expectAccessible(page);
      }
      await ada.signIn(page.context());
      for (const path of Object.values(kPages)) {
        await page.goto(new URL(path, page.url()).href);
        await arrive(page);
        await expectAccessible(page);
      }
    });

    test(`can be read by everybody on a phone, ${theme}`, async ({ newUser, open }) => {
      const page = await open("/account", { as: await newUser({ demo: true }), viewport: "phone", dark });
      for (const path of Object.values(kPages)) {
        await page.goto(new URL(path, page.url()).href);
        await arrive(page);
        await expectAccessible(page);
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wider <= 0, `${path} is ${wider} px wider than the screen`);
      }
    });
  }

  test("invites those who have nothing yet", async ({ newUser, open }) => {
    const page = await open("/account", { as: await newUser() });
    for (const path of Object.values(kPages)) {
      await page.goto(new URL(path, page.url()).href);
      await arrive(page);
      await expectAccessible(page);
    }
  });

  test("has a title of its own", async ({ newUser, open }) => {
    const page = await open("/account", { as: await newUser() });
    for (const [name, path] of Object.entries(kPages)) {
      await page.goto(new URL(path, page.url()).href);
      await page.waitForFunction((wanted) => document.title.includes(wanted), name);
      assert.match(await page.title(), / · Cairn$/);
    }
  });

  test("comes with a strict content security policy", async ({ newUser, open, server }) => {
    const page = await open("/account", { as: await newUser() });
    for (const path of ["/", ...Object.values(kPages), "/sign-in", "/no/such/page"]) {
      const policy = (await page.request.get(server.url + path, { headers: { Accept: "text/html" } })).headers()["content-security-policy"];
      assert.match(policy ?? "", /default-src 'self'/, path);
      assert.doesNotMatch(policy, /unsafe|\*|https?:/, path);
    }
  });

  test("weighs less than 250 kB at first", async ({ newUser, open, server, note }) => {
    const ada = await newUser({ demo: true });
    for (const path of Object.values(kPages)) {
      const page = await open(null, { as: ada });
      const client = await page.context().newCDPSession(page);
      await client.send("Network.enable");
      let bytes = 0;
      client.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
      await page.goto(server.url + path);
      await arrive(page);
      note(`${path}: ${(bytes / 1000).toFixed(1)} kB`);
      assert.ok(bytes > 1000 && bytes < kFirstLoadBytesMax, `${path} needs ${bytes} bytes`);
    }
  });

  test("prints without the frame around it", async ({ newUser, open }) => {
    const page = await open("/review", { as: await newUser({ demo: true }), dark: true });
    await arrive(page);
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.getByRole("navigation", { name: "Pages" }).isVisible(), false);
    assert.equal(await page.getByRole("heading", { level: 1 }).isVisible(), true);
    assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), "light");
  });

  const ways = {
    "opened by its address": (page) => page.goto(new URL("/notes", page.url()).href, { waitUntil: "commit" }),
    // What is pointed at is loaded ahead, and then again.
    "chosen": (page) => page.getByRole("link", { name: "Notes" }).click(),
  };
  for (const [way, go] of Object.entries(ways)) {
    test(`is not shown before its styles are there, ${way}`, async ({ newUser, open }) => {
      const page = await open("/account", { as: await newUser() });
      await arrive(page);
      const letGo = await hold(page, "GET", "**/assets/page-*.css");
      const [script] = await Promise.all([page.waitForResponse(/\/assets\/page-[^/]*\.js$/), go(page)]);
      await page.locator(".page-head .skeleton").waitFor();
      await page.evaluate(async (address) => {
        await import(address);
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      }, script.url());
      const heading = page.getByRole("heading", { name: "Notes", level: 1 });
      assert.equal(await heading.count(), 0);
      letGo();
      await heading.waitFor();
    });
  }

  test("does not jump while it loads", async ({ newUser, open }) => {
    const ada = await newUser({ demo: true });
    for (const path of Object.values(kPages)) {
      const page = await open(path, { as: ada });
      await arrive(page);
      const shifts = await page.evaluate(
        () =>
          new Promise((resolve) => {
            const found = [];
            new PerformanceObserver((list) => {
              for (const { hadRecentInput, value, startTime, sources } of list.getEntries()) {
                const places = ({ x, y, width, height }) => [x, y, width, height].join(" ");
                const what = ({ node, previousRect, currentRect }) => `${node?.nodeName}.${node?.className} from ${places(previousRect)} to ${places(currentRect)}`;
                if (!hadRecentInput) found.push({ value, startTime, moved: sources.map(what) });
              }
            }).observe({ type: "layout-shift", buffered: true });
            requestAnimationFrame(() => requestAnimationFrame(() => resolve(found)));
          }),
      );
      const moved = shifts.reduce((sum, { value }) => sum + value, 0);
      assert.ok(moved < 0.1, `${path} moved by ${moved}: ${JSON.stringify(shifts)}`);
    }
  });
});
