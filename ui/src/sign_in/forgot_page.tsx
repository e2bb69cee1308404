import { useState } from "preact/hooks";
import { api } from "../api";
import { Button, Notice, TextField } from "../parts";
import { useForm } from "../state";
import { Card } from "./card";

export default function ForgotPage() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm({
    initial: { email: "" },
    check: ({ email }) => ({ email: email.trim() === "" ? "Enter your e-mail address." : undefined }),
    send: async ({ email }) => {
      await api.post("/api/auth/password/forgot", { body: { email: email.trim() } });
      setSentTo(email.trim());
    },
  });
  return (
    <Card title="Forgot your password?" switchTo={<a href="/sign-in">Back to sign in</a>}>
      {sentTo !== null ? (
        <Notice tone="success" title="Check your inbox.">
          If <strong>{sentTo}</strong> has an account, a mail is on its way. Its link is good for half an hour.
        </Notice>
      ) : (
        <form class="stack" noValidate onSubmit={form.submit}>
          <p class="soft">We will e-mail you a link to choose a new one.</p>
          {form.problem && <Notice tone="danger">{form.problem}</Notice>}
          <TextField
            label="E-mail address"
            type="email"
            name="email"
            autocomplete="username"
            autofocus
            value={form.fields.email}
            onInput={form.set("email")}
            error={form.error("email")}
          />
          <Button variant="primary" type="submit" busy={form.busy}>
            Send link
          </Button>
        </form>
      )}
    </Card>
  );
}
