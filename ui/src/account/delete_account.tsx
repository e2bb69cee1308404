import { useState } from "preact/hooks";
import { session } from "../api";
import { Button, Checkbox, Dialog, Notice, TextField } from "../parts";
import { toast } from "../shell";
import { useForm } from "../state";

export function DeleteAccount() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="danger" onClick={() => setOpen(true)}>
        Delete the account…
      </Button>
      {open && <DeleteDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function DeleteDialog({ onClose }: { onClose: () => void }) {
  const [sure, setSure] = useState(false);
  const form = useForm({
    initial: { password: "" },
    check: ({ password }) => ({ password: password === "" ? "Enter your password." : undefined }),
    send: async ({ password }) => {
      await session.deleteAccount(password);
      toast({ text: "Your account has been deleted." });
    },
  });
  return (
    <Dialog title="Delete the account" size="small" role="alertdialog" onClose={onClose}>
      <form class="stack" noValidate onSubmit={form.submit}>
        <p>Your values, plans and all of their history will be erased. This cannot be undone.</p>
        {form.problem && <Notice tone="danger">{form.problem}</Notice>}
        <TextField
          label="Your password"
          type="password"
          autocomplete="current-password"
          autofocus
          value={form.fields.password}
          onInput={form.set("password")}
          error={form.error("password")}
        />
        <Checkbox label="I understand that everything will be erased." checked={sure} onChange={setSure} />
        <div class="row">
          <span class="grow" />
          <Button onClick={onClose}>Keep account</Button>
          <Button variant="danger" type="submit" busy={form.busy} disabled={!sure}>
            Delete everything
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
