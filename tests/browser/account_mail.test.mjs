// Addresses that are confirmed and passwords that are chosen again, by links in mails.
import assert from "node:assert/strict";
import { after } from "node:test";
import { expectAccessible } from "./fixture/accessible.mjs";
import { startMailbox } from "./fixture/mailbox.mjs";
import { picture, scene } from "./fixture/scene.mjs";

const mailbox = await startMailbox();
after(() => mailbox.close());

const section = (page, name) => page.getByRole("region", { name, exact: true });
/** The path and token of the link in the next mail. The front of the tests may be elsewhere than the server says. */
const linkTo = async (email) => new URL(/^https?:\S+$/m.exec(await mailbox.next(email))[0]);
const pathOf = ({ pathname, hash }) => pathname + hash;
const kNew = "an-entirely-new-passphrase";

await scene(
  "mails about accounts",
  (test) => {
    for (const viewport of ["phone", { width: 1440, height: 900 }]) {
      const size = viewport === "phone" ? "phone" : "wide";
      test(`a forgotten password is chosen again, ${size}`, async ({ newUser, open }) => {
        const ada = await newUser();
        await mailbox.next(ada.email);
        const page = await open("/sign-in", { viewport });
        await page.getByRole("link", { name: "Forgot your password?" }).click();
        await page.waitForURL("**/forgot");
        await page.getByRole("button", { name: "Send link" }).click();
        await page.getByText("Enter your e-mail address.").waitFor();
        await page.getByLabel("E-mail address").fill(ada.email);
        await page.getByRole("button", { name: "Send link" }).click();
        await page.getByText("a mail is on its way").waitFor();
        await expectAccessible(page);
        await picture(page, `forgot-sent-${size}`);

        const link = await linkTo(ada.email);
        assert.equal(link.pathname, "/reset");
        await page.goto(new URL(pathOf(link), page.url()).href);
        await page.getByLabel("New password").waitFor();
        assert.equal(new URL(page.url()).hash, "", "the token stays in no history");
        await page.getByLabel("New password").fill("short");
        await page.getByRole("button", { name: "Set password" }).click();
        await page.getByText("Use at least 8 characters.").waitFor();
        await expectAccessible(page);
        await picture(page, `reset-${size}`);
        await page.getByLabel("New password").fill(kNew);
        await page.getByRole("button", { name: "Set password" }).click();
        await page.waitForURL("**/today");
        await page.goto(new URL("/account", page.url()).href);
        await section(page, "E-mail address").getByText("Confirmed", { exact: true }).waitFor();

        const late = await open(pathOf(link), { viewport });
        await late.getByLabel("New password").fill("another-new-passphrase");
        await late.getByRole("button", { name: "Set password" }).click();
        await late.getByRole("alert").filter({ hasText: "no longer good" }).waitFor();
      });
    }

    for (const viewport of ["phone", { width: 1440, height: 900 }]) {
      const size = viewport === "phone" ? "phone" : "wide";
      test(`an address is confirmed, and changed, ${size}`, async ({ newUser, open }) => {
        const ada = await newUser();
        const page = await open("/account", { as: ada, viewport });
        const part = section(page, "E-mail address");
        await part.getByText("Not confirmed").waitFor();
        await part.scrollIntoViewIfNeeded();
        await expectAccessible(page);
        await picture(page, `account-unconfirmed-${size}`);
        await mailbox.next(ada.email);
        await part.getByRole("button", { name: "Send again" }).click();
        await page.getByText(`We sent an e-mail to ${ada.email}.`).first().waitFor();

        const tab = await open(pathOf(await linkTo(ada.email)), { beside: page });
        await tab.getByText("Confirm that you receive").waitFor();
        assert.equal(new URL(tab.url()).hash, "");
        assert.equal((await ada.get("/api/auth/me")).emailVerified, false, "opening the link alone does nothing");
        await picture(tab, `verify-${size}`);
        await tab.getByRole("button", { name: "Confirm" }).click();
        await tab.getByText("is confirmed.").waitFor();
        await expectAccessible(tab);
        await page.reload();
        await part.getByText("Confirmed", { exact: true }).waitFor();

        const next = `new-${ada.email}`;
        await part.getByLabel("New e-mail address").fill(next);
        await part.getByLabel("Your password").fill("wrong");
        await part.getByRole("button", { name: "Change address" }).click();
        await part.getByText("is not right").waitFor();
        await part.getByLabel("Your password").fill(ada.password);
        await part.getByRole("button", { name: "Change address" }).click();
        await part.getByText("becomes your address").waitFor();
        await expectAccessible(page);
        await picture(page, `account-pending-${size}`);
        assert.match(await mailbox.next(ada.email), new RegExp(next));
        await part.getByRole("button", { name: "Keep the old address" }).click();
        await part.getByText("becomes your address").waitFor({ state: "detached" });
        await tab.goto(new URL(pathOf(await linkTo(next)), tab.url()).href);
        await tab.getByRole("button", { name: "Confirm" }).click();
        await tab.getByRole("alert").filter({ hasText: "no longer good" }).waitFor();

        await part.getByLabel("New e-mail address").fill(next);
        await part.getByLabel("Your password").fill(ada.password);
        await part.getByRole("button", { name: "Change address" }).click();
        await part.getByText("becomes your address").waitFor();
        await mailbox.next(ada.email);
        const again = await open(pathOf(await linkTo(next)), { beside: page });
        await again.getByRole("button", { name: "Confirm" }).click();
        await again.getByText("is confirmed.").waitFor();
        await page.reload();
        await part.locator(".email-address").filter({ hasText: next }).waitFor();
        assert.equal((await ada.get("/api/auth/me")).email, next);
      });
    }

    test("a link without its token says what to do", async ({ open }) => {
      for (const path of ["/reset", "/verify"]) {
        const page = await open(path);
        await page.getByText("Open the link from the e-mail again").waitFor();
        await expectAccessible(page);
      }
    });
  },
  { serve: ["--smtp-url", mailbox.url, "--smtp-from", "cairn@example.org"] },
);

await scene("a server without mail", (test) => {
  test("says whom to ask, and changes an address at once", async ({ newUser, open }) => {
    const page = await open("/sign-in");
    await page.getByText("Forgot your password? Ask whoever runs this server.").waitFor();
    assert.equal(await page.getByRole("link", { name: "Forgot" }).count(), 0);
    const ada = await newUser();
    const account = await open("/account", { as: ada });
    const part = section(account, "E-mail address");
    assert.equal(await part.getByText("Not confirmed").count(), 0);
    await part.getByLabel("New e-mail address").fill(`new-${ada.email}`);
    await part.getByLabel("Your password").fill(ada.password);
    await part.getByRole("button", { name: "Change address" }).click();
    await part.locator(".email-address").filter({ hasText: `new-${ada.email}` }).waitFor();
    await expectAccessible(account);
  });
});
