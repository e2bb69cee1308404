import { useState } from "preact/hooks";
import { api, session, useMe } from "../api";
import { Badge, Button, Notice, TextField } from "../parts";
import { toast } from "../shell";
import { useForm, useRequest, useSendsMail } from "../state";

/** The address of the account: whether it is confirmed, and another one in its place. */
export function EmailAddress() {
  const me = useMe();
  const sendsMail = useSendsMail();
  const [round, setRound] = useState(0); // a new form, empty again, after each change
  if (me.email === undefined) return null;
  return (
    <div class="stack">
      <div class="row wrap">
        <span class="email-address">{me.email}</span>
        {me.emailVerified === true && (
          <Badge tone="success" icon="done">
            Confirmed
          </Badge>
        )}
        {me.emailVerified !== true && sendsMail === true && <Badge tone="warning">Not confirmed</Badge>}
      </div>
      {me.pendingEmail !== undefined ? (
        <Waiting to={me.pendingEmail} isNew />
      ) : (
        me.emailVerified !== true && sendsMail === true && <Waiting to={me.email} isNew={false} />
      )}
      <EmailForm key={round} onDone={() => setRound(round + 1)} />
    </div>
  );
}

function Waiting({ to, isNew }: { to: string; isNew: boolean }) {
  const again = useRequest(async () => {
    await api.post("/api/auth/email/verification");
    toast({ text: `We sent an e-mail to ${to}.`, tone: "success" });
  });
  const cancel = useRequest(async () => {
    await api.delete("/api/auth/email/pending");
    await session.load();
  });
  const problem = again.problem ?? cancel.problem;
  return (
    <>
      <Notice tone="warning">
        {isNew ? (
          <>
            <strong>{to}</strong> becomes your address when you open the link in the mail that we sent there. Until then nothing changes.
          </>
        ) : (
          <>Open the link in the e-mail we sent you. Until then, reminders are not sent by e-mail.</>
        )}
      </Notice>
      {problem !== null && <Notice tone="danger">{problem}</Notice>}
      <div class="row wrap">
        <Button busy={again.busy} onClick={again.run}>
          Send again
        </Button>
        {isNew && (
          <Button variant="quiet" busy={cancel.busy} onClick={cancel.run}>
            Keep the old address
          </Button>
        )}
      </div>
    </>
  );
}

function EmailForm({ onDone }: { onDone: () => void }) {
  const form = useForm({
    initial: { newEmail: "", password: "" },
    check: ({ newEmail, password }) => ({
      newEmail: /^\S+@\S+$/.test(newEmail.trim()) ? undefined : "Enter an address such as ada@example.org.",
      password: password === "" ? "Enter your password." : undefined,
    }),
    send: async ({ newEmail, password }) => {
      const { email, pendingEmail } = await api.post("/api/auth/email", { body: { newEmail: newEmail.trim(), password } });
      await session.load();
      const text = pendingEmail === undefined ? `Your address is now ${email}.` : `We sent an e-mail to ${pendingEmail}.`;
      toast({ text, tone: "success" });
      onDone();
    },
  });
  return (
    <form class="stack account-form" noValidate onSubmit={form.submit}>
      {form.problem && <Notice tone="danger">{form.problem}</Notice>}
      <TextField
        label="New e-mail address"
        type="email"
        autocomplete="email"
        value={form.fields.newEmail}
        onInput={form.set("newEmail")}
        error={form.error("newEmail")}
      />
      <TextField
        label="Your password"
        type="password"
        autocomplete="current-password"
        value={form.fields.password}
        onInput={form.set("password")}
        error={form.error("password")}
      />
      <div>
        <Button type="submit" busy={form.busy}>
          Change address
        </Button>
      </div>
    </form>
  );
}
