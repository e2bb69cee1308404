// How every page is laid out, from a phone to a large screen, by mouse and by touch, light and dark, with much in it. One
// document for all of it, as people have it: the styles of pages that were visited before are still there.
import assert from "node:assert/strict";
import { after } from "node:test";
import { expectAccessible } from "./fixture/accessible.mjs";
import { layoutFaults, shapeOf } from "./fixture/layout.mjs";
import { startMailbox } from "./fixture/mailbox.mjs";
import { picture, scene } from "./fixture/scene.mjs";

const mailbox = await startMailbox();
after(() => mailbox.close());

const kWidths = [390, 768, 820, 1024, 1100, 1280, 1440];
/** Where all rules of axe are asked, and where those that depend on room and pointer alone. */
const kThorough = { mouse: { light: [390, 1280], dark: [820] }, touch: { light: [], dark: [] } };
const kForRoom = { mouse: { light: [768, 1024], dark: [] }, touch: { light: [390, 820, 1280], dark: [] } };
const kRoomRules = ["target-size", "label-content-name-mismatch"];
/** A folder for a picture of everything that is visited here, to be looked at. */
const kLooks = process.env.CAIRN_LOOKS;
const kLong = "A rather long name for a thing that somebody did not want to shorten at all";

/** Each with what shows that its content is there, and what is done before it is looked at; `leave` is pressed in the end. */
const kRooms = {
  today: {
    today: { path: "/today", shows: ".todo" },
    "today-timeline": { path: "/today", shows: ".todo", prepare: (page) => page.getByRole("tab", { name: "Timeline" }).click(), ready: ".timeline-scroll", widths: [390] },
    "today-schedule": { path: "/today", shows: ".today-timeline", prepare: (page) => page.keyboard.press("w"), ready: ".schedule", leave: "Escape" },
  },
  calendar: {
    "calendar-day": { path: "/calendar/day", shows: ".event" },
    "calendar-week": { path: "/calendar/week", shows: ".event" },
    "calendar-new": { path: "/calendar/week", shows: ".event", prepare: (page) => page.keyboard.press("n"), ready: "#event-form", leave: "Escape" },
    "calendar-month": { path: "/calendar/month", shows: ".bar" },
    "calendar-agenda": { path: "/calendar/agenda", shows: ".agenda-line" },
    "calendar-settings": { path: "/calendar/settings", shows: ".section" },
  },
  "board and notes": {
    board: { path: "/board", shows: ".card" },
    "board-card": { path: "/board", shows: ".card", prepare: (page) => page.locator(".card-face").first().click(), ready: "#task-form", leave: "Escape" },
    notes: { path: "/notes", shows: ".note" },
    "notes-new": { path: "/notes", shows: ".note", prepare: (page) => page.keyboard.press("n"), ready: "#note-form", leave: "Escape" },
  },
  "values and review": {
    values: { path: "/values", shows: "[role=treeitem]" },
    "values-history": { path: "/values/history", shows: ".history-day" },
    review: { path: "/review", shows: ".day-bars" },
  },
  "data and account": {
    data: { path: "/data", shows: ".starts a" },
    "data-partition": { path: null, shows: "table.items", prepare: (page) => page.locator(".starts a").first().click() },
    account: { path: "/account", shows: ".section" },
    palette: { path: "/account", shows: ".section", prepare: (page) => page.keyboard.press("Control+k"), ready: ".palette", leave: "Escape" },
    help: { path: "/account", shows: ".section", prepare: (page) => page.keyboard.press("?"), ready: ".help", leave: "Escape" },
    nowhere: { path: "/no/such/page", shows: ".empty-state" },
  },
};
const kSignedOut = {
  "sign-in": { path: "/sign-in", shows: "form" },
  "sign-up": { path: "/sign-up", shows: "form" },
  forgot: { path: "/forgot", shows: "form" },
  reset: { path: "/reset#token=none", shows: "form" },
  "reset-without": { path: "/reset", shows: "main p" },
  verify: { path: "/verify#token=none", shows: "button" },
};

async function fullUser(newUser) {
  const ada = await newUser({ demo: true, displayName: "Ada" });
  await ada.post("/api/nexus/demo");
  const day = new Date().toISOString().slice(0, 10);
  const event = (title, from, to, more = {}) => ada.post("/api/nexus/events", { title, startLocal: `${day}T${from}:00`, endLocal: `${day}T${to}:00`, startTzid: "Europe/Berlin", ...more });
  await event(kLong, "14:00", "15:00", { location: "In the large room on the second floor" });
  await event("Short one", "16:00", "16:15");
  await ada.post("/api/nexus/tasks", { title: kLong, status: "TODO", priority: 2, dueUtc: `${day}T17:00:00Z`, tags: ["household", "somewhere", "important"], description: "More" });
  await ada.post("/api/nexus/notes", { title: kLong, body: "# Heading\n\nA line with `code` and a **strong** word.\n\n- one\n- two", tags: ["household"] });
  return ada;
}

/** Goes there without loading the document again. */
async function go(page, { path, shows, prepare, ready }) {
  if (path !== null) {
    await page.evaluate((to) => {
      if (to === location.pathname) return;
      history.pushState(null, "", to);
      dispatchEvent(new PopStateEvent("popstate"));
    }, path);
  }
  await page.locator(path === null ? "main h1" : shows).first().waitFor();
  await page.locator(".skeleton").first().waitFor({ state: "detached" });
  await prepare?.(page);
  await page.locator(ready ?? shows).first().waitFor();
  await page.locator(".skeleton").first().waitFor({ state: "detached" });
}

async function look(page, name, { widths = kWidths }, { by, problems }) {
  for (const width of widths) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
    let shape;
    for (const theme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme: theme });
      const where = `${name}, ${width} px, ${theme}, by ${by}`;
      // Themes differ in colours: only where one moves something is it looked through once more.
      if (shape === undefined || shape !== (await shapeOf(page))) {
        problems.push(...(await layoutFaults(page)).map((fault) => `${where}: ${fault}`));
        shape = await shapeOf(page);
      }
      const isThorough = kThorough[by][theme].includes(width);
      if (isThorough || kForRoom[by][theme].includes(width)) {
        await expectAccessible(page, isThorough ? {} : { only: kRoomRules }).catch(({ message }) => problems.push(`${where}: ${message}`));
      }
      if (kLooks) await picture(page, `${name}-${width}-${theme}-${by}`, { folder: kLooks });
    }
  }
}

const kWays = { mouse: {}, touch: { hasTouch: true, isMobile: true } };

await scene(
  "layout",
  (test) => {
    let ada; // one for all
    for (const [by, options] of Object.entries(kWays)) {
      for (const [room, pages] of Object.entries(kRooms)) {
        test(`of ${room}, by ${by}`, async ({ newUser, open }) => {
          ada ??= await fullUser(newUser);
          const page = await open("/account", { as: ada, viewport: { width: 1280, height: 900 }, ...options });
          assert.equal(await page.evaluate(() => matchMedia("(pointer: coarse)").matches), by === "touch");
          const problems = [];
          for (const [name, entry] of Object.entries(pages)) {
            await page.setViewportSize({ width: (entry.widths ?? [1280])[0], height: 900 });
            await go(page, entry);
            await look(page, name, entry, { by, problems });
            if (entry.leave) {
              await page.keyboard.press(entry.leave);
              await page.locator(entry.ready).waitFor({ state: "detached" });
            }
          }
          assert.equal(problems.length, 0, problems.join("\n"));
        });
      }

      test(`of those who are not signed in, by ${by}`, async ({ open }) => {
        const problems = [];
        for (const [name, entry] of Object.entries(kSignedOut)) {
          const page = await open(entry.path, { viewport: { width: 1280, height: 900 }, ...options });
          await page.locator(entry.shows).first().waitFor();
          await look(page, name, entry, { by, problems });
        }
        assert.equal(problems.length, 0, problems.join("\n"));
      });
    }
  },
  { serve: ["--smtp-url", mailbox.url, "--smtp-from", "cairn@example.org"] },
);
