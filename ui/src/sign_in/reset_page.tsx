import { session } from "../api";
import { Button, Notice, TextField } from "../parts";
import { navigate } from "../shell";
import { useForm } from "../state";
import { Card } from "./card";
import { useLinkToken } from "./use_link_token";

export default function ResetPage() {
  const token = useLinkToken();
  const form = useForm({
    initial: { newPassword: "" },
    check: ({ newPassword }) => ({
      newPassword: [...newPassword].length < 8 ? "Use at least 8 characters." : undefined,
    }),
    send: async ({ newPassword }) => {
      await session.resetPassword(token, newPassword);
      navigate("/", "replace");
    },
  });
  return (
    <Card
      title="Choose a new password"
      switchTo={
        <>
          Link not working? <a href="/forgot">Request a new one</a>
        </>
      }
    >
      {token === "" ? (
        <Notice tone="warning">This address is incomplete. Open the link from the e-mail again.</Notice>
      ) : (
        <form class="stack" noValidate onSubmit={form.submit}>
          {form.problem && <Notice tone="danger">{form.problem}</Notice>}
          <TextField
            label="New password"
            type="password"
            name="password"
            autocomplete="new-password"
            hint="At least 8 characters. A few words work well."
            autofocus
            value={form.fields.newPassword}
            onInput={form.set("newPassword")}
            error={form.error("newPassword")}
          />
          <p class="small soft">This signs you in here, and out everywhere else.</p>
          <Button variant="primary" type="submit" busy={form.busy}>
            Set password
          </Button>
        </form>
      )}
    </Card>
  );
}
