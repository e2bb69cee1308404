import { useState } from "preact/hooks";
import { api, problemOf } from "../api";
import { Button, clockText, Dialog, Notice, ownZone, Select, zoneNames } from "../parts";
import type { NexusSettings } from "./calendar_types";

interface ZoneDialogProps {
  zone: string;
  onSaved: (settings: NexusSettings) => void;
  onClose: () => void;
}

export const zoneLabel = (zone: string): string => zone.replaceAll("_", " ");

/** Where the viewer is. Kept with the account: floating events remind at its hours. */
export function ZoneDialog({ zone, onSaved, onClose }: ZoneDialogProps) {
  const [chosen, setChosen] = useState(zone);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const here = ownZone();

  async function save(event: Event) {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      onSaved(await api.patch("/api/nexus/settings", { body: { timezone: chosen } }));
      onClose();
    } catch (thrown) {
      const refused = problemOf(thrown);
      setProblem(refused.field("timezone") ?? refused.message);
      setBusy(false);
    }
  }

  return (
    <Dialog
      title="Time zone"
      size="small"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form="zone-form" busy={busy}>
            Use this zone
          </Button>
        </>
      }
    >
      <form id="zone-form" class="stack" onSubmit={(event) => void save(event)}>
        {problem && <Notice tone="danger">{problem}</Notice>}
        <Select
          label="Time zone"
          value={chosen}
          choices={zoneNames(chosen).map((value) => ({ value, label: zoneLabel(value) }))}
          onChange={setChosen}
          hint={`It is ${clockText(Date.now(), chosen)} there now. Events without a time zone keep their local time.`}
        />
        {chosen !== here && (
          <Button size="small" variant="quiet" onClick={() => setChosen(here)}>
            {`Use ${zoneLabel(here)}, as this device`}
          </Button>
        )}
      </form>
    </Dialog>
  );
}
