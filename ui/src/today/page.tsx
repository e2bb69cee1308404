import { useState } from "preact/hooks";
import { api, useMe } from "../api";
import { Notice, Skeleton, SkeletonRows } from "../parts";
import { PageFrame, type PageProps } from "../shell";
import { useResource } from "../state";
import { DayPage } from "./day_page";
import { planStore } from "./plan_store";
import type { PlanSettings } from "./plan_types";
import { SettingsDialog } from "./settings_dialog";
import { useNow } from "../parts/use_now";
import { dayOf } from "../parts/zone_days";
import "./today.css";

/** "/today", or "/today/2026-11-16" for another day. */
export default function TodayPage({ rest }: PageProps) {
  const me = useMe();
  const now = useNow();
  const settings = useResource("settings", (signal) => api.get("/api/plans/settings", { signal }));
  const [open, setOpen] = useState(false);
  const known = settings.data.value;
  if (!known) {
    const problem = settings.problem.value;
    return (
      <PageFrame title="Today" width="wide" intro={<Skeleton width="180px" height="16px" />}>
        {problem ? (
          <Notice tone="danger" action={{ label: "Try again", run: () => void settings.refresh() }}>
            {problem.message}
          </Notice>
        ) : (
          <SkeletonRows rows={6} height="48px" label="Loading your day" />
        )}
      </PageFrame>
    );
  }
  const today = dayOf(now, known.timezone, known.dayStartHour);
  const day = /^\d{4}-\d{2}-\d{2}$/.test(rest[0] ?? "") ? rest[0]! : today;
  // A day begins and ends elsewhere with other settings.
  const changed = (saved: PlanSettings) => {
    settings.set(saved);
    void planStore(me.userId, day)
      .plan.refresh()
      .catch(() => undefined);
  };
  return (
    <>
      <DayPage userId={me.userId} day={day} today={today} now={now} settings={known} onSettings={() => setOpen(true)} onChanged={changed} />
      {open && <SettingsDialog settings={known} onSaved={changed} onClose={() => setOpen(false)} />}
    </>
  );
}
