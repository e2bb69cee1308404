import { useState } from "preact/hooks";
import { api, problemOf } from "../api";
import { Button, Icon } from "../parts";
import { ownZone } from "../parts/zone_days";
import { toastProblem } from "../shell";
import type { PlanSettings } from "./plan_types";

interface ZoneNoticeProps {
  userId: string;
  settings: PlanSettings;
  onSettings: () => void;
  onChanged: (settings: PlanSettings) => void;
}

/** Hours of another zone than that of the device are surprising: says so until it is settled. */
export function ZoneNotice({ userId, settings, onSettings, onChanged }: ZoneNoticeProps) {
  const here = ownZone();
  const key = `cairn.today.zone.${userId}`;
  const [kept, setKept] = useState(() => localStorage.getItem(key) === `${settings.timezone} ${here}`);
  const [busy, setBusy] = useState(false);
  if (settings.timezone === here || kept) return null;

  async function use() {
    setBusy(true);
    try {
      onChanged(await api.patch("/api/plans/settings", { body: { timezone: here } }));
    } catch (thrown) {
      toastProblem("The time zone was not changed.", problemOf(thrown), () => void use());
    } finally {
      setBusy(false);
    }
  }

  const name = (zone: string) => zone.replaceAll("_", " ");
  return (
    <div class="zone-notice small" role="note">
      <Icon name="clock" size={15} />
      <span class="grow">
        Times are shown in {name(settings.timezone)}, but this device is in {name(here)}.
      </span>
      <span class="zone-notice-actions">
        <Button size="small" busy={busy} onClick={() => void use()}>
          Use {name(here)}
        </Button>
        <Button
          size="small"
          variant="quiet"
          onClick={() => {
            localStorage.setItem(key, `${settings.timezone} ${here}`);
            setKept(true);
          }}
        >
          Keep {name(settings.timezone)}
        </Button>
        <Button size="small" variant="quiet" onClick={onSettings}>
          Settings
        </Button>
      </span>
    </div>
  );
}
