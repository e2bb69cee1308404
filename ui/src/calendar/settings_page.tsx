import { LinkButton, Notice, Section, SkeletonRows } from "../parts";
import { PageFrame } from "../shell";
import { FeedSection } from "./feed_section";
import { ImportSection } from "./import_section";
import { ReminderSection } from "./reminder_section";
import { useNexusSettings } from "./use_nexus_settings";
import { ZoneSection } from "./zone_section";
import "./settings.css";

/** "/calendar/settings" */
export default function CalendarSettingsPage() {
  const settings = useNexusSettings();
  const { known, problem } = settings;
  return (
    <PageFrame
      title="Calendar settings"
      actions={
        <LinkButton href="/calendar" icon="arrow-left">
          Back<span class="unseen"> to the calendar</span>
        </LinkButton>
      }
    >
      {!known && problem && (
        <Notice tone="danger" action={{ label: "Try again", run: () => void settings.refresh() }}>
          {problem.message}
        </Notice>
      )}
      {!known && !problem && <SkeletonRows rows={10} height="48px" label="Loading the settings" />}
      {known && (
        <>
          <ZoneSection known={known} keep={settings.keep} />
          <ReminderSection known={known} settings={settings} />
          <FeedSection known={known} settings={settings} />
          <ImportSection />
          <Section title="Export" intro="Your events, series and tasks, for other apps or as a backup.">
            <LinkButton href="/api/nexus/calendar.ics" icon="arrow-down" download>
              Download calendar.ics
            </LinkButton>
          </Section>
        </>
      )}
    </PageFrame>
  );
}
