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
    toast({ text: "Address removed.", tone: "success" });
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
    <Section
      title="Other calendar apps"
      intro="Subscribe to your calendar from other apps with a secret address. Anyone who has it can read your calendar."
    >
      <div class="stack">
        {problem && <Notice tone="danger">{problem}</Notice>}
        {shown !== null && (
          <ToldOnce
            label="Address of your calendar"
            text={shown}
            hint="Copy it now: it will not be shown again. In calendar apps, look for “subscribe” or “from URL”."
            copied="Address copied."
          />
        )}
        {shown !== null && (
          <p>
            <a href={shown.replace(/^https?:/, "webcal:")}>Subscribe with an app on this device</a>
          </p>
        )}
        {shown === null && known.hasFeed && (
          <p class="soft">
            There is an address
            {known.feedCreatedAt && (
              <>
                , made <When at={known.feedCreatedAt} />
              </>
            )}
            . It was shown once and cannot be shown again.
          </p>
        )}
        {!known.hasFeed && <p class="soft">You have not created an address yet.</p>}
        <div class="row wrap">
          <Button elementRef={makeButton} icon={known.hasFeed ? "refresh" : "link"} busy={make.busy} onClick={() => void askToMake()}>
            {known.hasFeed ? "Replace the address…" : "Create address"}
          </Button>
          {known.hasFeed && (
            <Button busy={end.busy} onClick={() => void askToEnd()}>
              Remove address…
            </Button>
          )}
        </div>
      </div>
    </Section>
  );
}

const kReplace = {
  title: "Replace the address?",
  text: "The current address stops working at once. Apps that use it need the new one.",
  action: "Replace",
};
const kEnd = {
  title: "Remove the address?",
  text: "Apps that use it will no longer receive your calendar.",
  action: "Remove",
  danger: true,
};
