import { useRef, useState } from "preact/hooks";
import { api, type Schemas } from "../api";
import { Button, confirm, Notice, TextField } from "../parts";
import { toast } from "../shell";
import { useRequest } from "../state";
import type { NexusSettings } from "./calendar_types";
import { DeliveryLine } from "./delivery_line";
import { ToldOnce } from "./told_once";
import type { KnownSettings } from "./use_nexus_settings";

interface WebhookFormProps {
  known: NexusSettings;
  settings: KnownSettings;
}

export function WebhookForm({ known, settings }: WebhookFormProps) {
  const field = useRef<HTMLInputElement>(null);
  const [draft, setDraft] = useState<string | null>(null); // null: as it is
  const [told, setTold] = useState<Schemas["Webhook"] | null>(null);
  const current = known.webhookUrl;
  const url = draft ?? current ?? "";

  async function name(address: string) {
    const made = await api.post("/api/nexus/webhook", { body: { url: address } });
    setTold(made);
    settings.note({ webhookUrl: made.url, webhookCreatedAt: made.createdAt });
  }
  const save = useRequest(async () => {
    await name(url.trim());
    setDraft(null);
  });
  const renew = useRequest(async () => {
    if (current !== undefined) await name(current);
  });
  const remove = useRequest(async () => {
    await api.delete("/api/nexus/webhook");
    setTold(null);
    setDraft(null);
    await settings.refresh();
    toast({ text: "The webhook is removed.", tone: "success" });
    requestAnimationFrame(() => field.current?.focus()); // the button has gone with it
  });

  const askToRenew = async () => {
    if (await confirm(kRenew)) renew.run();
  };
  const askToRemove = async () => {
    if (await confirm(kRemove)) remove.run();
  };

  const isSame = url.trim() === (current ?? "");
  const problem = renew.problem ?? remove.problem;
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSame && !save.busy) save.run();
      }}
    >
      <h3>Webhook</h3>
      {!known.offersWebhook && <p class="small soft">This server posts to no webhooks at present.</p>}
      <TextField
        label="Address that reminders are posted to"
        type="url"
        placeholder="https://example.org/hook"
        autocomplete="off"
        value={url}
        elementRef={field}
        onInput={(value) => {
          save.forget();
          setDraft(value);
        }}
        hint={current === undefined ? "A secret is made for it, with which the receiver verifies what comes from here." : "Another address gets another secret."}
        error={save.field("url") ?? save.problem ?? undefined}
      />
      {told && told.createdAt === known.webhookCreatedAt && (
        <ToldOnce
          label="Secret"
          text={told.secret}
          hint="Keep it now: it is told only this once."
          copied="The secret is copied."
        />
      )}
      {problem && <Notice tone="danger">{problem}</Notice>}
      <div class="row wrap">
        <Button type="submit" busy={save.busy} disabled={isSame}>
          {current === undefined ? "Set the webhook" : "Change the address"}
        </Button>
        {current !== undefined && (
          <>
            <Button busy={renew.busy} onClick={() => void askToRenew()}>
              New secret…
            </Button>
            <Button busy={remove.busy} onClick={() => void askToRemove()}>
              Remove…
            </Button>
          </>
        )}
      </div>
      {current !== undefined && <DeliveryLine delivery={known.lastWebhook} />}
    </form>
  );
}

const kRenew = {
  title: "Make a new secret?",
  text: "The one before ends at once. The receiver needs the new one to verify what comes from here.",
  action: "Make a new secret",
};
const kRemove = {
  title: "Remove the webhook?",
  text: "Reminders are posted no more. What waits to be tried again is forgotten, and the secret ends.",
  action: "Remove",
  danger: true,
};
