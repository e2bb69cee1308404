import { useState } from "preact/hooks";
import { api, problemOf } from "../api";
import { Button, Checkbox, Dialog, Notice, Select } from "../parts";
import type { PlanSettings } from "./plan_types";
import { clockText, ownZone, zoneNames } from "../parts/zone_days";

interface SettingsDialogProps {
  settings: PlanSettings;
  onSaved: (settings: PlanSettings) => void;
  onClose: () => void;
}

/** Zone, start of the day, automatic rollover. */
export function SettingsDialog({ settings, onSaved, onClose }: SettingsDialogProps) {
  const [timezone, setTimezone] = useState(settings.timezone);
  const [hour, setHour] = useState(String(settings.dayStartHour));
  const [autoRollover, setAutoRollover] = useState(settings.autoRollover);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const here = ownZone();

  async function save(event: Event) {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      const body = { timezone, dayStartHour: Number(hour), autoRollover };
      onSaved(await api.patch("/api/plans/settings", { body }));
      onClose();
    } catch (thrown) {
      const refused = problemOf(thrown);
      setProblem(refused.field("timezone") ?? refused.field("dayStartHour") ?? refused.message);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog
      title="Day settings"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form="day-settings" busy={busy}>
            Save
          </Button>
        </>
      }
    >
      <form id="day-settings" class="stack" onSubmit={(event) => void save(event)}>
        {problem && <Notice tone="danger">{problem}</Notice>}
        <Select
          label="Time zone"
          value={timezone}
          choices={zoneNames(timezone).map((value) => ({ value, label: value.replaceAll("_", " ") }))}
          onChange={setTimezone}
          hint={
            timezone === here ? (
              `It is ${clockText(Date.now(), timezone)} there now.`
            ) : (
              <span class="row wrap">
                It is {clockText(Date.now(), timezone)} there now.
                <Button size="small" variant="quiet" onClick={() => setTimezone(here)}>
                  Use {here.replaceAll("_", " ")}, as this device
                </Button>
              </span>
            )
          }
        />
        <Select
          label="Day starts at"
          value={hour}
          choices={Array.from({ length: 24 }, (_, index) => ({ value: String(index), label: `${index}:00` }))}
          onChange={setHour}
          hint="Anything before this hour counts toward the previous day."
        />
        <Checkbox
          shape="switch"
          label="Bring unfinished todos over automatically when a day starts"
          checked={autoRollover}
          onChange={setAutoRollover}
        />
      </form>
    </Dialog>
  );
}
