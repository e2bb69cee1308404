import { useEffect, useState } from "preact/hooks";
import { useMe } from "../api";
import { clockAt, Notice, SkeletonRows, useNow } from "../parts";
import { PageFrame, type PageProps } from "../shell";
import { CalendarPage } from "./calendar_page";
import type { View } from "./calendar_types";
import { useNexusSettings } from "./use_nexus_settings";
import { dayIn, viewOf } from "./view_days";
import { ZoneDialog } from "./zone_dialog";
import "./calendar.css";

const kViewKey = "cairn.calendar.view";

/** "/calendar", or "/calendar/month/2026-11-16". */
export default function CalendarEntry({ rest }: PageProps) {
  const me = useMe();
  const now = useNow();
  const settings = useNexusSettings();
  const [choosing, setChoosing] = useState(false);
  const asked = viewOf(rest[0]);
  const view = asked ?? keptView();
  const { known, problem } = settings;

  useEffect(() => {
    if (asked) keepView(asked);
  }, [asked]);

  if (!known) {
    return (
      <PageFrame title="Calendar" width="full">
        {problem ? (
          <Notice tone="danger" action={{ label: "Try again", run: () => void settings.refresh() }}>
            {problem.message}
          </Notice>
        ) : (
          <SkeletonRows rows={10} height="48px" label="Loading the calendar" />
        )}
      </PageFrame>
    );
  }
  const zone = known.timezone;
  const today = clockAt(now, zone).day;
  return (
    <>
      <CalendarPage
        userId={me.userId}
        view={view}
        day={dayIn(rest[1]) ?? today}
        today={today}
        now={now}
        zone={zone}
        onZone={() => setChoosing(true)}
      />
      {choosing && <ZoneDialog zone={zone} onSaved={settings.keep} onClose={() => setChoosing(false)} />}
    </>
  );
}

function keptView(): View {
  try {
    return viewOf(localStorage.getItem(kViewKey) ?? undefined) ?? (matchMedia("(max-width: 719px)").matches ? "day" : "week");
  } catch {
    return "week";
  }
}

function keepView(view: View): void {
  try {
    localStorage.setItem(kViewKey, view);
  } catch {
    return; // then it lasts as long as the address
  }
}
