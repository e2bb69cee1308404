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
    toast({ text: "Webhook removed.", tone: "success" });
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
      {!known.offersWebhook && <p class="small soft">This server does not send webhooks.</p>}
      <TextField
        label="URL to send reminders to"
        type="url"
        placeholder="https://example.org/hook"
        autocomplete="off"
        value={url}
        elementRef={field}
        onInput={(value) => {
          save.forget();
          setDraft(value);
        }}
        hint={
          current === undefined ? "You get a secret that lets the receiver verify each request." : "A different address gets a new secret."
        }
        error={save.field("url") ?? save.problem ?? undefined}
      />
      {told && told.createdAt === known.webhookCreatedAt && (
        <ToldOnce label="Secret" text={told.secret} hint="Copy it now: it will not be shown again." copied="Secret copied." />
      )}
      {problem && <Notice tone="danger">{problem}</Notice>}
      <div class="row wrap">
        <Button type="submit" busy={save.busy} disabled={isSame}>
          {current === undefined ? "Set the webhook" : "Change address"}
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
  title: "Create a new secret?",
  text: "The current secret stops working at once. The receiver needs the new one to verify requests.",
  action: "Create new secret",
};
const kRemove = {
  title: "Remove the webhook?",
  text: "Reminders will no longer be sent, pending retries are dropped, and the secret stops working.",
  action: "Remove",
  danger: true,
};
