import { session } from "../api";
import { Button, Dialog, Notice, TextField } from "../parts";
import { signOut } from "../shell";
import { useForm } from "../state";

/** Lies over the pages when the session has ended elsewhere. Behind it everything stays as it was typed. */
export function SignInAgain({ email }: { email: string }) {
  const form = useForm({
    initial: { password: "" },
    check: ({ password }) => ({ password: password === "" ? "Enter your password." : undefined }),
    send: ({ password }) => session.signIn(email, password),
  });
  return (
    <Dialog title="Sign in again" size="small" closable={false} onClose={() => undefined}>
      <form class="stack" noValidate onSubmit={form.submit}>
        <p class="soft">Your session has ended. Sign in to go on where you were; nothing you typed is lost.</p>
        {form.problem && <Notice tone="danger">{form.problem}</Notice>}
        <input class="unseen" type="email" autocomplete="username" value={email} readOnly tabIndex={-1} aria-hidden="true" />
        <TextField
          label={`Password of ${email}`}
          type="password"
          autocomplete="current-password"
          autofocus
          value={form.fields.password}
          onInput={form.set("password")}
          error={form.error("password")}
        />
        <div class="row">
          <Button variant="quiet" onClick={() => void signOut()}>
            Sign out
          </Button>
          <span class="grow" />
          <Button variant="primary" type="submit" busy={form.busy}>
            Sign in
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
