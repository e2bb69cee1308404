import { useRef, useState } from "preact/hooks";
import { api } from "../api";
import { Button, confirm, Notice, Section, When } from "../parts";
import { toast } from "../shell";
import { useRequest } from "../state";
import type { NexusSettings } from "./calendar_types";
import { ToldOnce } from "./told_once";
import type { KnownSettings } from "./use_nexus_settings";

interface FeedSectionProps {
  known: NexusSettings;
  settings: KnownSettings;
}

/** A secret address that other programs read the calendar from. */
export function FeedSection({ known, settings }: FeedSectionProps) {
  const makeButton = useRef<HTMLButtonElement>(null);
  const [told, setTold] = useState<{ url: string; createdAt: string } | null>(null);

  const make = useRequest(async () => {
    const { url, createdAt } = await api.post("/api/nexus/feed");
    setTold({ url: new URL(url, location.origin).href, createdAt });
    settings.note({ hasFeed: true, feedCreatedAt: createdAt });
  });
  const end = useRequest(async () => {
    await api.delete("/api/nexus/feed");
    setTold(null);
    await settings.refresh();
    toast({ text: "The address has ended.", tone: "success" });
    requestAnimationFrame(() => makeButton.current?.focus()); // the other button has gone
  });

  const askToMake = async () => {
    if (!known.hasFeed || (await confirm(kReplace))) make.run();
  };
  const askToEnd = async () => {
    if (await confirm(kEnd)) end.run();
  };

  const problem = make.problem ?? end.problem;
  const shown = told && told.createdAt === known.feedCreatedAt ? told.url : null;
  return (
    <Section title="Other programs" intro="They read your calendar from a secret address. Whoever has it reads all of it.">
      <div class="stack">
        {problem && <Notice tone="danger">{problem}</Notice>}
        {shown !== null && (
          <ToldOnce
            label="Address of your calendar"
            text={shown}
            hint="Keep it now: it is told only this once. Calendar programs take it under “subscribe” or “from URL”."
            copied="The address is copied."
          />
        )}
        {shown !== null && (
          <p>
            <a href={shown.replace(/^https?:/, "webcal:")}>Subscribe with a program on this device</a>
          </p>
        )}
        {shown === null && known.hasFeed && (
          <p class="soft">
            There is an address{known.feedCreatedAt && <>, made <When at={known.feedCreatedAt} /></>}. It was told once and cannot be shown again.
          </p>
        )}
        {!known.hasFeed && <p class="soft">There is no address at present.</p>}
        <div class="row wrap">
          <Button elementRef={makeButton} icon={known.hasFeed ? "refresh" : "link"} busy={make.busy} onClick={() => void askToMake()}>
            {known.hasFeed ? "Replace the address…" : "Make an address"}
          </Button>
          {known.hasFeed && (
            <Button busy={end.busy} onClick={() => void askToEnd()}>
              End the address…
            </Button>
          )}
        </div>
      </div>
    </Section>
  );
}

const kReplace = {
  title: "Replace the address?",
  text: "The one before ends at once. Programs that use it need the new one.",
  action: "Replace it",
};
const kEnd = {
  title: "End the address?",
  text: "Programs that use it get your calendar no more.",
  action: "End it",
  danger: true,
};
