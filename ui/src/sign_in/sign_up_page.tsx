import { session, type ApiProblem } from "../api";
import { Button, Notice, TextField } from "../parts";
import { navigate, type PageProps } from "../shell";
import { useForm } from "../state";
import { Card } from "./card";
import { checkSignUp } from "./check";

/** Where somebody begins who has nothing yet. */
const kFirstPage = "/values";

export default function SignUpPage({ query }: PageProps) {
  const form = useForm({
    initial: { displayName: "", email: "", password: "" },
    check: checkSignUp,
    explain,
    send: ({ email, password, displayName }) => {
      if (!query.has("next")) navigate(`/sign-up?next=${encodeURIComponent(kFirstPage)}`, "replace");
      const name = displayName.trim();
      return session.signUp({ email: email.trim(), password, ...(name === "" ? {} : { displayName: name }) });
    },
  });
  return (
    <Card
      title="Create account"
      switchTo={
        <>
          Already have an account? <a href={`/sign-in${query.size > 0 ? `?${query.toString()}` : ""}`}>Sign in</a>
        </>
      }
    >
      <form class="stack" noValidate onSubmit={form.submit}>
        {form.problem && <Notice tone="danger">{form.problem}</Notice>}
        <TextField
          label="Your name (optional)"
          name="name"
          autocomplete="name"
          maxLength={200}
          autofocus
          value={form.fields.displayName}
          onInput={form.set("displayName")}
          error={form.error("displayName")}
        />
        <TextField
          label="E-mail address"
          type="email"
          name="email"
          autocomplete="username"
          value={form.fields.email}
          onInput={form.set("email")}
          error={form.error("email")}
        />
        <TextField
          label="Password"
          type="password"
          name="password"
          autocomplete="new-password"
          hint="At least 8 characters. A few words work well."
          value={form.fields.password}
          onInput={form.set("password")}
          error={form.error("password")}
        />
        <Button variant="primary" type="submit" busy={form.busy}>
          Create account
        </Button>
      </form>
    </Card>
  );
}

/** The server does not tell strangers who has an account. Only the sign-in behind it fails. */
function explain({ status }: ApiProblem): string | undefined {
  return status === 401
    ? "There seems to be an account with this address and a different password. Sign in instead, or use another address."
    : undefined;
}
