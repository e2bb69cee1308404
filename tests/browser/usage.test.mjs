// What an account keeps, and what happens when there is no room for more.
import assert from "node:assert/strict";
import { eventually } from "./calendar_items.mjs";
import { expectAccessible } from "./fixture/accessible.mjs";
import { scene } from "./fixture/scene.mjs";

const kNote = { title: "Large", body: "x".repeat(100 * 1024) };

await scene(
  "usage",
  (test) => {
    test("is shown on the account page, and follows what is kept", async ({ newUser, open }) => {
      const ada = await newUser();
      const page = await open("/account", { as: ada });
      await page.getByRole("heading", { name: "Usage", exact: true }).waitFor();
      const storage = page.getByRole("progressbar", { name: "Storage" });
      await storage.waitFor();
      const before = Number(await storage.getAttribute("aria-valuenow"));
      await ada.post("/api/nexus/notes", kNote);
      await eventually(
        async () => Number(await storage.getAttribute("aria-valuenow")),
        (now) => assert.ok(now > before + 100 * 1024, `${now} after ${before}`),
      );
      await page.getByText("of 1 MB").waitFor();
      await expectAccessible(page);
    });

    test("says why nothing more is kept, and tries again when there is room", async ({ newUser, open }) => {
      const ada = await newUser();
      await eventually(
        async () => {
          await ada.post("/api/nexus/notes", kNote).catch(() => undefined);
          return (await ada.get("/api/account/usage")).bytes;
        },
        (bytes) => assert.ok(bytes > 1024 * 1024, String(bytes)),
      );
      const page = await open("/notes", { as: ada });
      await page.getByRole("button", { name: "New note" }).click();
      const dialog = page.getByRole("dialog", { name: "New note" });
      await dialog.getByLabel("Title").fill("One more");
      await dialog.getByRole("button", { name: "Save" }).click();
      await page.getByText(/You keep 1\.\d MB of 1\.0 MB/).waitFor();
    });
  },
  { serve: ["--user-storage-mb", "1"] },
);
