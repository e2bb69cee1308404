// The board: cards by mouse and by keys, limits, and others who work on it at the same time.
import assert from "node:assert/strict";
import { drag, eventually, setZone } from "./calendar_items.mjs";
import { expectAccessible } from "./fixture/accessible.mjs";
import { hold, picture, scene } from "./fixture/scene.mjs";

const kUtc = { timezoneId: "UTC" };
const addTask = (user, title, more = {}) => user.post("/api/nexus/tasks", { title, status: "TODO", ...more });

/** { TODO: "a b", DONE: "" } */
async function boardOf(user) {
  const { columns } = await user.get("/api/nexus/board");
  return Object.fromEntries(columns.map(({ status, cards }) => [status, cards.map(({ title }) => title).join(" ")]));
}
const eventuallyBoard = (user, wanted) => eventually(() => boardOf(user), (board) => assert.deepEqual({ ...board, ...wanted }, board));
const column = (page, name) => page.getByRole("region", { name, exact: true });
const card = (page, title) => page.locator(".card", { hasText: title });

async function middle(locator, share = 0.5) {
  const box = await locator.boundingBox();
  return { x: box.x + box.width / 2, y: box.y + box.height * share };
}

const kMonths = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

await scene("the board", (test) => {
  test("takes cards in, and moves them by mouse", async ({ newUser, open }) => {
    const ada = await newUser();
    const page = await open("/board", { as: ada, ...kUtc });
    const field = column(page, "To do").getByRole("textbox", { name: "New card in To do" });
    for (const title of ["one", "two", "three"]) {
      await field.fill(title);
      await field.press("Enter");
    }
    await eventuallyBoard(ada, { TODO: "one two three" });
    await expectAccessible(page);

    // To the top of its column, then to others.
    await page.locator(".card").nth(2).waitFor();
    await drag(page, await middle(card(page, "three")), await middle(card(page, "one"), 0.1));
    await eventuallyBoard(ada, { TODO: "three one two" });
    await drag(page, await middle(card(page, "one")), await middle(column(page, "In progress")));
    await eventuallyBoard(ada, { TODO: "three two", IN_PROGRESS: "one" });
    await drag(page, await middle(card(page, "two")), await middle(card(page, "one"), 0.9));
    await eventuallyBoard(ada, { TODO: "three", IN_PROGRESS: "one two" });
    await drag(page, await middle(card(page, "one")), await middle(column(page, "Done")));
    await eventuallyBoard(ada, { IN_PROGRESS: "two", DONE: "one" });
    const { columns } = await ada.get("/api/nexus/board");
    assert.ok(columns.at(-1).cards[0].completedAt, "a card in Done is completed");
  });

  test("works with cards the moment they are typed", async ({ newUser, open }) => {
    const ada = await newUser();
    await addTask(ada, "old");
    const page = await open("/board", { as: ada, ...kUtc });
    const { keyboard } = page;
    // Nobody is answered before all of it is done.
    const letGo = await hold(page, "POST", "**/api/nexus/tasks");
    const field = column(page, "To do").getByRole("textbox");
    for (const title of ["one", "two", "three"]) {
      await field.fill(title);
      await field.press("Enter");
    }
    await page.getByRole("button", { name: /^one/ }).focus();
    await keyboard.press("Alt+ArrowDown"); // beside one that is not there yet either
    await keyboard.press("Alt+ArrowRight");
    await keyboard.press("2");
    await drag(page, await middle(card(page, "three")), await middle(card(page, "old"), 0.1));
    await page.getByRole("button", { name: /^two/ }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Edit card" });
    await dialog.getByLabel("Title").fill("two and a half");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.evaluate(() => window.made = document.querySelector('[data-status="IN_PROGRESS"] .card'));
    letGo();
    await dialog.waitFor({ state: "hidden" });
    await eventuallyBoard(ada, { TODO: "three old two and a half", IN_PROGRESS: "one" });
    const { columns } = await ada.get("/api/nexus/board");
    assert.deepEqual(columns.flatMap(({ cards }) => cards.map(({ title, priority }) => `${title} ${priority}`)), ["three 3", "old 3", "two and a half 3", "one 2"]);

    // The row is still the same after the server's state was read, so the focus stays, and its address finds it.
    await page.getByRole("button", { name: /^one/ }).focus();
    await addTask(ada, "other");
    await card(page, "other").waitFor();
    assert.ok(await page.evaluate(() => window.made.isConnected && window.made.contains(document.activeElement)));
    await keyboard.press("Alt+ArrowLeft");
    await eventuallyBoard(ada, { IN_PROGRESS: "" });
    assert.match(await page.evaluate(() => document.activeElement?.textContent), /one/);
    const { taskId } = (await ada.get("/api/nexus/tasks?status=TODO")).items.find(({ title }) => title === "one");
    await page.evaluate((address) => {
      history.pushState(null, "", address);
      dispatchEvent(new PopStateEvent("popstate"));
    }, `/board?task=${taskId}`);
    await dialog.getByLabel("Title").waitFor();
    assert.equal(await dialog.getByLabel("Title").inputValue(), "one");
  });

  test("changes priorities where that is meant, says so, and takes all of it back", async ({ newUser, open }) => {
    const ada = await newUser();
    for (const [title, priority] of [["alarm", 1], ["usual", 3], ["lazy", 4]]) await addTask(ada, title, { priority });
    await addTask(ada, "fire", { priority: 1, status: "IN_PROGRESS" });
    await addTask(ada, "walk", { priority: 4, status: "IN_PROGRESS" });
    const page = await open("/board", { as: ada, ...kUtc });
    await card(page, "lazy").waitFor();
    await card(page, "walk").waitFor();
    const priorities = async () => {
      const { columns } = await ada.get("/api/nexus/board");
      return columns.flatMap(({ cards }) => cards.map(({ title, priority }) => `${title} ${priority}`)).join(", ");
    };
    const kBefore = "alarm 1, usual 3, lazy 4, fire 1, walk 4";
    const eventuallyPriorities = (wanted) => eventually(priorities, (now) => assert.equal(now, wanted));

    // To another column, right at an urgent one: it is the column that is meant.
    await drag(page, await middle(card(page, "usual")), await middle(card(page, "fire"), 0.1));
    await eventuallyPriorities("alarm 1, lazy 4, fire 1, usual 3, walk 4");
    await page.getByText("Moved “usual” to “In progress”.").waitFor();
    await page.keyboard.press("Control+z");
    await eventuallyPriorities(kBefore);
    await page.getByText("Moved “usual” to “In progress”.").waitFor({ state: "detached" });
    await page.keyboard.press("Control+Shift+z");
    await eventuallyPriorities("alarm 1, lazy 4, fire 1, usual 3, walk 4");
    await page.keyboard.press("Control+z");
    await eventuallyPriorities(kBefore);

    // Above an urgent one in its own column: it says what it becomes before it is dropped, and after.
    const from = await middle(card(page, "lazy"));
    const above = await middle(card(page, "alarm"), 0.1);
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(above.x, above.y, { steps: 8 });
    await page.locator('.drop-line[data-says="Urgent"]').waitFor();
    await page.mouse.up();
    await eventuallyPriorities("lazy 1, alarm 1, usual 3, fire 1, walk 4");
    await page.getByText("“lazy” has urgent priority now.").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await eventuallyPriorities(kBefore);

    // Step by step, and back in the same order.
    await page.getByRole("button", { name: /^usual/ }).focus();
    await page.keyboard.press("1");
    await page.keyboard.press("x");
    await eventuallyPriorities("alarm 1, lazy 4, fire 1, walk 4, usual 1");
    await page.getByText("Done: “usual”.").waitFor();
    await page.keyboard.press("Control+z");
    await eventuallyPriorities("alarm 1, usual 1, lazy 4, fire 1, walk 4");
    await page.keyboard.press("Control+z");
    await eventuallyPriorities(kBefore);
  });

  test("does all of it by keys", async ({ newUser, open }) => {
    const ada = await newUser();
    await setZone(ada, "UTC");
    const page = await open("/board", { as: ada, ...kUtc });
    const { keyboard } = page;
    await column(page, "Backlog").waitFor();
    await keyboard.press("n");
    await keyboard.type("alpha");
    await keyboard.press("Enter");
    await keyboard.type("beta");
    await keyboard.press("Enter");
    await keyboard.press("Escape");
    await keyboard.press("j");
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    assert.match(await focused(), /^alpha/);
    await keyboard.press("Alt+ArrowDown");
    await eventuallyBoard(ada, { BACKLOG: "beta alpha" });
    // The same card twice in a row, before anybody has answered.
    await keyboard.press("Alt+ArrowRight");
    await keyboard.press("Alt+ArrowRight");
    await eventuallyBoard(ada, { BACKLOG: "beta", TODO: "", IN_PROGRESS: "alpha" });
    assert.match(await focused(), /alpha/, "the focus goes along");
    await keyboard.press("1");
    await eventually(() => ada.get("/api/nexus/tasks?status=IN_PROGRESS"), ({ items }) => assert.equal(items[0].priority, 1));
    await keyboard.press("x");
    await eventuallyBoard(ada, { DONE: "alpha" });
    await page.getByRole("button", { name: "Undo" }).click();
    await eventuallyBoard(ada, { IN_PROGRESS: "alpha", DONE: "" });

    await page.getByRole("button", { name: /^alpha/ }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Edit card" });
    await dialog.getByLabel("Title").fill("");
    await keyboard.press("Enter");
    await dialog.getByText("Enter a title.").waitFor();
    await dialog.getByLabel("Title").fill("alpha centauri");
    await dialog.getByLabel("Priority").selectOption("High");
    await dialog.getByLabel("Due", { exact: true }).fill("2027-01-11");
    await dialog.getByLabel("Due time").fill("09:30");
    await dialog.getByLabel("Tags").fill("far, bright");
    await dialog.getByLabel("Description").fill("Four light years.");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "hidden" });
    const { items } = await ada.get("/api/nexus/tasks?status=IN_PROGRESS");
    const { title, priority, dueUtc, description, tags } = items[0];
    assert.deepEqual([title, priority, dueUtc, description, tags.sort()], ["alpha centauri", 2, "2027-01-11T09:30:00Z", "Four light years.", ["bright", "far"]]);

    // It is in the calendar, which leads back to it.
    await page.goto(new URL("/calendar/day/2027-01-11", page.url()).href);
    await page.getByRole("button", { name: /^alpha centauri, .*task/ }).click();
    await page.getByRole("button", { name: "Open on the board" }).click();
    await dialog.getByLabel("Title").waitFor();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await eventuallyBoard(ada, { IN_PROGRESS: "" });
  });

  test("has the columns of the settings, and warns above a limit", async ({ newUser, open }) => {
    const ada = await newUser();
    await ada.send("PATCH", "/api/nexus/settings", {
      columns: [
        { status: "TODO", title: "Next" },
        { status: "IN_PROGRESS", title: "Now", limit: 1 },
      ],
    });
    await addTask(ada, "first", { status: "IN_PROGRESS" });
    await addTask(ada, "second");
    const page = await open("/board", { as: ada, ...kUtc });
    await page.getByRole("button", { name: /^second/ }).focus();
    assert.equal(await page.getByText("over the limit").count(), 0);
    await page.keyboard.press("Alt+ArrowRight");
    await column(page, "Now").getByText("over the limit").waitFor();
    await page.getByText("“Now” has more cards than its limit of 1.").waitFor();
    await expectAccessible(page);
    await eventuallyBoard(ada, { TODO: "", IN_PROGRESS: "first second" });
  });

  test("lets tasks repeat, otherwise, and no more", async ({ newUser, open }) => {
    const ada = await newUser();
    await setZone(ada, "UTC");
    // From a Monday to come: the next one is never of the past.
    const monday = Date.now() + (28 + ((8 - new Date().getUTCDay()) % 7)) * 86_400_000;
    const days = (count) => new Date(monday + count * 86_400_000).toISOString().slice(0, 10);
    const shown = (count) => `${Number(days(count).slice(8))} ${kMonths[Number(days(count).slice(5, 7)) - 1]}\\w*( ${days(count).slice(0, 4)})?`;
    for (const title of ["before", "water", "after"]) await addTask(ada, title);
    const page = await open("/board", { as: ada, ...kUtc });
    const { keyboard } = page;
    const face = page.getByRole("button", { name: /^water/ });
    await face.focus();
    await page.evaluate(() => (window.made = document.activeElement));
    await keyboard.press("e");
    const dialog = page.getByRole("dialog", { name: "Edit card" });
    await dialog.getByLabel("Repeats").selectOption("Every day");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("Enter when the first one is due.").waitFor();
    await dialog.getByLabel("Due", { exact: true }).fill(days(0));
    await dialog.getByText(new RegExp(`${shown(0)}, .*${shown(1)}`)).waitFor();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: /^water .*repeats/ }).waitFor();
    await eventuallyBoard(ada, { TODO: "before water after" });
    assert.ok(await page.evaluate(() => document.activeElement === window.made), "it is the same card as before");

    // Done, and there is the next one.
    await keyboard.press("x");
    await eventuallyBoard(ada, { TODO: "before after water", DONE: "water" });
    const next = column(page, "To do").getByRole("button", { name: new RegExp(`^water .*${shown(1)}.*repeats`) });
    await next.press("e");
    await dialog.getByLabel("Repeats").and(page.locator("select:enabled")).waitFor();
    assert.equal(await dialog.getByLabel("Repeats").inputValue(), "FREQ=DAILY");
    // Otherwise, and with another title for all that follow.
    await dialog.getByLabel("Repeats").selectOption("Every week on Tuesday");
    await dialog.getByLabel("Title").fill("water plants");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "hidden" });
    await eventuallyBoard(ada, { TODO: "before after water plants", DONE: "water" });
    const openOne = async () => (await ada.get("/api/nexus/tasks?status=TODO")).items.find(({ title }) => title.startsWith("water"));
    const { masterId } = await eventually(openOne, ({ title, dueUtc }) => assert.deepEqual([title, dueUtc], ["water plants", `${days(1)}T17:00:00Z`]));
    assert.equal((await ada.get(`/api/nexus/masters/${masterId}`)).rrule, "FREQ=WEEKLY;BYDAY=TU");

    // Another title, for those that follow as well; what is done is history.
    await column(page, "Done").getByRole("button", { name: /^water/ }).press("e");
    await dialog.getByLabel("Title").waitFor();
    assert.equal(await dialog.getByLabel("Repeats").count(), 0);
    await keyboard.press("Escape");
    await column(page, "To do").getByRole("button", { name: /^water plants/ }).press("e");
    await dialog.getByLabel("Title").fill("water flowers");
    await dialog.getByRole("checkbox", { name: "Also change the following tasks" }).check();
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "hidden" });
    const renamed = await eventually(openOne, (task) => assert.equal(task?.title, "water flowers"));
    assert.equal((await ada.get(`/api/nexus/masters/${renamed.masterId}`)).title, "water flowers");

    // Deleting asks which; the next one takes its place.
    await column(page, "To do").getByRole("button", { name: /^water flowers/ }).press("Delete");
    const question = page.getByRole("alertdialog", { name: "Delete “water flowers”" });
    await question.getByRole("radio", { name: "Only this task" }).check();
    await expectAccessible(page);
    await question.getByRole("button", { name: "Delete" }).click();
    await eventually(openOne, (task) => assert.equal(task?.dueUtc, `${days(8)}T17:00:00Z`));

    // No more: it stays as the last one.
    await column(page, "To do").getByRole("button", { name: new RegExp(`^water flowers .*${shown(8)}`) }).press("e");
    await dialog.getByLabel("Repeats").and(page.locator("select:enabled")).selectOption("Does not repeat");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "hidden" });
    const last = await eventually(openOne, (task) => assert.ok(task && task.masterId === undefined));
    assert.equal(last.dueUtc, `${days(8)}T17:00:00Z`);
    await page.getByRole("button", { name: /^water flowers(?!.*repeats)/ }).waitFor();
    await eventuallyBoard(ada, { TODO: "before after water flowers", DONE: "water" });
  });

  test("lets the columns be named, ordered, limited and hidden", async ({ newUser, open }) => {
    const ada = await newUser();
    const page = await open("/board", { as: ada, ...kUtc });
    await column(page, "Backlog").waitFor();
    await page.keyboard.press("c");
    const dialog = page.getByRole("dialog", { name: "Columns" });
    await dialog.getByLabel("Name of In progress").fill(" ");
    await dialog.getByLabel("Limit of In progress").fill("many");
    await page.keyboard.press("Enter");
    await dialog.getByText("Enter a title.").waitFor();
    await dialog.getByText("A number from 1 to 1000, or nothing.").waitFor();
    await dialog.getByLabel("Name of In progress").fill("Now");
    await dialog.getByLabel("Limit of In progress").fill("2");
    // The focus stays at the button that moves it.
    const left = dialog.getByRole("button", { name: "In progress: move left" });
    await left.focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    assert.ok(await left.evaluate((button) => button.closest("li") === document.activeElement.closest("li")));
    await dialog.getByRole("checkbox", { name: "Blocked" }).press("Space");
    await dialog.getByRole("checkbox", { name: "Archived" }).press("Space");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "hidden" });
    const heads = () => page.locator(".column-head h2").allTextContents();
    await eventually(heads, (names) => assert.deepEqual(names, ["Now", "Backlog", "To do", "Done", "Archived"]));
    const { columns } = await ada.get("/api/nexus/settings");
    assert.deepEqual(columns[0], { status: "IN_PROGRESS", title: "Now", limit: 2 });

    // From the palette, on a phone; something else of the settings was changed meanwhile.
    const phone = await open("/board", { as: ada, viewport: "phone", dark: true, ...kUtc });
    await column(phone, "Now").waitFor();
    await phone.keyboard.press("Control+k");
    await phone.keyboard.type("Edit columns");
    await phone.keyboard.press("Enter");
    const narrow = phone.getByRole("dialog", { name: "Columns" });
    await narrow.getByLabel("Name of To do").fill("Next");
    await setZone(ada, "Europe/Lisbon");
    await expectAccessible(phone);
    await narrow.getByRole("button", { name: "Save" }).click();
    await narrow.waitFor({ state: "hidden" });
    await column(page, "Next").waitFor();

    // The columns themselves.
    await page.getByRole("button", { name: "Columns" }).click();
    await dialog.getByLabel("Name of To do").fill("Mine");
    await ada.send("PATCH", "/api/nexus/settings", { columns: [{ status: "TODO", title: "Theirs" }] });
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("The columns were changed elsewhere in the meantime.").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("alertdialog", { name: "Discard what you typed?" }).getByRole("button", { name: "Discard" }).click();
    await eventually(heads, (names) => assert.deepEqual(names, ["Theirs"]));
    await page.getByRole("button", { name: "Columns" }).click();
    await dialog.getByRole("checkbox", { name: "To do" }).uncheck();
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("A board needs at least one column.").waitFor();
  });

  test("follows others, tells when they were faster, and waits without a connection", async ({ newUser, open, allow }) => {
    const ada = await newUser();
    const page = await open("/board", { as: ada, ...kUtc });
    await column(page, "To do").waitFor();
    const { taskId } = await addTask(ada, "shared");
    await card(page, "shared").waitFor();
    let isFirst = true;
    await page.route("**/move", async (route) => {
      if (isFirst) await ada.send("PATCH", `/api/nexus/tasks/${taskId}`, { title: "theirs" }, { "If-Match": '"1"' });
      isFirst = false;
      await route.continue();
    });
    await page.getByRole("button", { name: /^shared/ }).focus();
    await page.keyboard.press("Alt+ArrowRight");
    await page.getByText("“shared” was changed elsewhere in the meantime.").waitFor();
    await column(page, "To do").getByText("theirs").waitFor();
    await page.getByRole("button", { name: "Use mine" }).click();
    await eventuallyBoard(ada, { TODO: "", IN_PROGRESS: "theirs" });

    allow(/ERR_INTERNET_DISCONNECTED|WebSocket/);
    await page.context().setOffline(true);
    const field = column(page, "To do").getByRole("textbox");
    await field.fill("later");
    await field.press("Enter");
    await card(page, "later").waitFor();
    await page.context().setOffline(false);
    await eventuallyBoard(ada, { TODO: "later" });
  });

  test("looks well", async ({ newUser, open }) => {
    const ada = await newUser({ displayName: "Ada" });
    await ada.send("PATCH", "/api/nexus/settings", {
      timezone: "UTC",
      columns: [
        { status: "BACKLOG", title: "Backlog" },
        { status: "TODO", title: "To do" },
        { status: "IN_PROGRESS", title: "In progress", limit: 2 },
        { status: "BLOCKED", title: "Blocked" },
        { status: "DONE", title: "Done" },
      ],
    });
    const day = (count) => new Date(Date.now() + count * 86_400_000).toISOString().slice(0, 10);
    const cards = [
      ["Compare bicycle lights", { status: "BACKLOG" }],
      ["Learn to make sourdough", { status: "BACKLOG", priority: 4, tags: ["home"] }],
      ["Renew the passport", { priority: 1, dueUtc: `${day(1)}T09:00:00Z`, description: "Bring a photograph." }],
      ["Book the train to Lisbon", { priority: 2, dueUtc: `${day(4)}T17:00:00Z`, tags: ["travel"] }],
      ["Answer Bo about the workshop", {}],
      ["Water the plants", { dueUtc: `${day(2)}T18:00:00Z`, rrule: "FREQ=DAILY;INTERVAL=3" }],
      ["Write the report", { status: "IN_PROGRESS", priority: 2, dueUtc: `${day(-1)}T12:00:00Z`, tags: ["work"] }],
      ["Prepare the design review", { status: "IN_PROGRESS", tags: ["work", "design"] }],
      ["Sort the photographs of the summer", { status: "IN_PROGRESS", priority: 4 }],
      ["Insurance for the new flat", { status: "BLOCKED", description: "Waits for the landlord." }],
      ["Repair the lamp", { status: "DONE" }],
      ["Call the dentist", { status: "DONE" }],
    ];
    for (const [title, more] of cards) await addTask(ada, title, more);
    for (const [viewport, width] of [["wide", "wide"], ["phone", "narrow"]]) {
      for (const dark of [false, true]) {
        const page = await open("/board", { as: ada, viewport, dark, ...kUtc });
        await card(page, "Call the dentist").waitFor();
        await expectAccessible(page);
        await picture(page, `board-${width}-${dark ? "dark" : "light"}`);
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wider <= 0, `${wider} px wider than the screen`);
      }
    }
  });
});
