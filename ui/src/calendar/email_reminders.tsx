import { useState } from "preact/hooks";
import { api, useMe } from "../api";
import { Checkbox, Notice } from "../parts";
import { useRequest } from "../state";
import type { NexusSettings } from "./calendar_types";
import { DeliveryLine } from "./delivery_line";

interface EmailRemindersProps {
  known: NexusSettings;
  keep: (saved: NexusSettings) => void;
}

export function EmailReminders({ known, keep }: EmailRemindersProps) {
  const me = useMe();
  const [wanted, setWanted] = useState<boolean | null>(null); // until the server has said so
  const save = useRequest(async () => {
    const notifyEmail = !known.notifyEmail;
    setWanted(notifyEmail);
    try {
      keep(await api.patch("/api/nexus/settings", { body: { notifyEmail } }));
    } finally {
      setWanted(null);
    }
  });
  const problem = save.field("notifyEmail") ?? save.problem;
  return (
    <div class="stack">
      <h3>E-mail</h3>
      {problem && <Notice tone="danger">{problem}</Notice>}
      <Checkbox
        shape="switch"
        label={`Send reminders to ${me.email ?? "the address of the account"}`}
        checked={wanted ?? known.notifyEmail}
        onChange={() => !save.busy && save.run()}
      />
      {known.notifyEmail && known.offersEmail && me.emailVerified === false && (
        <p class="small soft">
          Nothing is sent until you confirm your address under <a href="/account">Account</a>.
        </p>
      )}
      {!known.offersEmail && <p class="small soft">This server does not send e-mails.</p>}
      {(known.notifyEmail || known.lastEmail) && <DeliveryLine delivery={known.lastEmail} />}
    </div>
  );
}
