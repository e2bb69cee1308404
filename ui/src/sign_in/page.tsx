import { session } from "../api";
import { Button, Notice, TextField } from "../parts";
import type { PageProps } from "../shell";
import { useForm, useSendsMail } from "../state";
import { checkSignIn } from "./check";
import { Card } from "./card";

export default function SignInPage({ query }: PageProps) {
  const sendsMail = useSendsMail();
  const form = useForm({
    initial: { email: "", password: "" },
    check: checkSignIn,
    send: ({ email, password }) => session.signIn(email.trim(), password),
  });
  return (
    <Card
      title="Sign in"
      switchTo={
        <>
          New here? <a href={`/sign-up${suffix(query)}`}>Create account</a>
        </>
      }
    >
      <form class="stack" noValidate onSubmit={form.submit}>
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
        <TextField
          label="Password"
          type="password"
          name="password"
          autocomplete="current-password"
          value={form.fields.password}
          onInput={form.set("password")}
          error={form.error("password")}
        />
        <Button variant="primary" type="submit" busy={form.busy}>
          Sign in
        </Button>
        {sendsMail === true && (
          <p class="small">
            <a href="/forgot">Forgot your password?</a>
          </p>
        )}
        {sendsMail === false && <p class="small soft">Forgot your password? Ask whoever runs this server.</p>}
      </form>
    </Card>
  );
}

function suffix(query: URLSearchParams): string {
  const next = query.get("next");
  return next === null ? "" : `?next=${encodeURIComponent(next)}`;
}
