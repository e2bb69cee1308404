import { useState } from "preact/hooks";
import { api } from "../api";
import { Button, clockText, Notice, ownZone, Section, Select, useNow, zoneNames } from "../parts";
import { toast } from "../shell";
import { useRequest } from "../state";
import type { NexusSettings } from "./calendar_types";
import { zoneLabel } from "./zone_dialog";

interface ZoneSectionProps {
  known: NexusSettings;
  keep: (saved: NexusSettings) => void;
}

export function ZoneSection({ known, keep }: ZoneSectionProps) {
  const now = useNow();
  const [chosen, setChosen] = useState<string | null>(null); // null: as it is
  const zone = chosen ?? known.timezone;
  const here = ownZone();
  const save = useRequest(() => send(zone));
  const takeHere = useRequest(() => send(here));

  async function send(timezone: string) {
    keep(await api.patch("/api/nexus/settings", { body: { timezone } }));
    setChosen(null);
    toast({ text: `Your time zone is ${zoneLabel(timezone)} now.`, tone: "success", key: "zone" });
  }

  return (
    <Section title="Time zone" intro="The calendar shows times in this zone. Events without a time zone use it for reminders.">
      <form
        class="stack settings-zone"
        onSubmit={(event) => {
          event.preventDefault();
          if (zone !== known.timezone && !save.busy) save.run();
        }}
      >
        {known.timezone !== here && (
          <Notice tone="info" action={{ label: `Use ${zoneLabel(here)}`, run: takeHere.run }}>
            This device is in {zoneLabel(here)}.
          </Notice>
        )}
        {takeHere.problem && <Notice tone="danger">{takeHere.problem}</Notice>}
        <Select
          label="Time zone"
          value={zone}
          choices={zoneNames(zone).map((value) => ({ value, label: zoneLabel(value) }))}
          onChange={(value) => {
            save.forget();
            setChosen(value);
          }}
          hint={`It is ${clockText(now, zone)} there now.`}
          error={save.field("timezone") ?? save.problem ?? undefined}
        />
        <div>
          <Button type="submit" busy={save.busy} disabled={zone === known.timezone}>
            Save time zone
          </Button>
        </div>
      </form>
    </Section>
  );
}
