import { session } from "../api";
import { Button, Notice, TextField } from "../parts";
import { toast } from "../shell";
import { useForm } from "../state";
import { useState } from "preact/hooks";

export function ChangePassword({ email }: { email: string }) {
  const [round, setRound] = useState(0); // a new form, empty again, after each change
  return <PasswordForm key={round} email={email} onDone={() => setRound(round + 1)} />;
}

function PasswordForm({ email, onDone }: { email: string; onDone: () => void }) {
  const form = useForm({
    initial: { currentPassword: "", newPassword: "" },
    check: ({ currentPassword, newPassword }) => ({
      currentPassword: currentPassword === "" ? "Enter your current password." : undefined,
      newPassword: [...newPassword].length < 8 ? "Use at least 8 characters." : undefined,
    }),
    send: async ({ currentPassword, newPassword }) => {
      await session.changePassword(currentPassword, newPassword);
      toast({ text: "Password changed. You were signed out everywhere else.", tone: "success" });
      onDone();
    },
  });
  return (
    <form class="stack account-form" noValidate onSubmit={form.submit}>
      {form.problem && <Notice tone="danger">{form.problem}</Notice>}
      <input class="unseen" type="email" autocomplete="username" value={email} readOnly tabIndex={-1} aria-hidden="true" />
      <TextField
        label="Current password"
        type="password"
        autocomplete="current-password"
        value={form.fields.currentPassword}
        onInput={form.set("currentPassword")}
        error={form.error("currentPassword")}
      />
      <TextField
        label="New password"
        type="password"
        autocomplete="new-password"
        hint="At least 8 characters."
        value={form.fields.newPassword}
        onInput={form.set("newPassword")}
        error={form.error("newPassword")}
      />
      <div>
        <Button type="submit" busy={form.busy}>
          Change password
        </Button>
      </div>
    </form>
  );
}
