import { useRef, useState } from "preact/hooks";
import { api, useMe, useRoom, type Schemas } from "../api";
import { classNames, Notice, SkeletonRows } from "../parts";
import { navigate, PageFrame, usePaletteSearch, type PageProps } from "../shell";
import { useResource } from "../state";
import type { Format } from "./item_table";
import { KeyText } from "./key_text";
import { Partition } from "./partition";
import { addressOf, placeOf, samePlace, type Place } from "./place";
import "./data.css";

type Start = Schemas["DataPartition"];

export default function DataPage({ query }: PageProps) {
  const me = useMe();
  const place = placeOf(query);
  const starts = useResource("starts", (signal) => api.get("/api/data/partitions", { signal }));
  const [format, setFormat] = useState<Format>("plain");
  useRoom(`values:${me.userId}`, () => starts.refresh());
  const list = starts.data.value?.items;
  const { label, moved } = useLabel(list, place);

  usePaletteSearch((text) =>
    (list ?? [])
      .filter((start) => start.label.toLowerCase().includes(text.toLowerCase()))
      .map((start) => ({ label: start.label, group: "Data", icon: "data", run: () => navigate(addressOf(start)) })),
  );

  return (
    <PageFrame title="Data" intro="Everything stored for you, item by item. Only you can see it." width="full">
      <div class={classNames("data", place && "data-at-partition")}>
        <nav class="starts" aria-label="Where to begin">
          {starts.problem.value && !list && (
            <Notice tone="danger" action={{ label: "Try again", run: () => void starts.refresh() }}>
              {starts.problem.value.message}
            </Notice>
          )}
          {!list && !starts.problem.value && <SkeletonRows rows={6} height="54px" label="Loading" />}
          {list && byModel(list).map(([model, entries]) => <Model key={model} model={model} starts={entries} place={place} />)}
        </nav>
        {place ? (
          <Partition key={addressOf(place)} place={place} label={label} format={format} onFormat={setFormat} moved={moved} />
        ) : (
          <HowToRead />
        )}
      </div>
    </PageFrame>
  );
}

/** A partition keeps the label it was opened with; when the label has moved on to another one, that is told. */
function useLabel(list: Start[] | undefined, place: Place | null) {
  const opened = useRef<{ place: Place; label: string } | null>(null);
  const now = list?.find((start) => samePlace(start, place));
  if (place && now) opened.current = { place, label: now.label };
  const kept = opened.current && samePlace(opened.current.place, place) ? opened.current.label : undefined;
  const next = kept !== undefined && !now ? list?.find((start) => start.label === kept) : undefined;
  return { label: kept, moved: next ? { label: next.label, place: next } : null };
}

function byModel(list: Start[]): [string, Start[]][] {
  const groups = new Map<string, Start[]>();
  for (const start of list) groups.set(start.model, [...(groups.get(start.model) ?? []), start]);
  return [...groups];
}

function Model({ model, starts, place }: { model: string; starts: Start[]; place: Place | null }) {
  return (
    <section>
      <h2 class="starts-model">Model “{model}”</h2>
      <ul role="list">
        {starts.map((start) => (
          <li key={start.label}>
            <a class="start" href={addressOf(start)} aria-current={samePlace(start, place) ? "true" : undefined}>
              <span class="start-label">{start.label}</span>
              <span class="start-key faint">
                <span>{start.table}</span>
                <KeyText text={start.partition} />
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function HowToRead() {
  return (
    <section class="how-to-read" aria-labelledby="how-title">
      <h2 id="how-title">How to read this</h2>
      <p>
        Cairn keeps everything as items of DynamoDB tables. Choose a partition to see its items as they are stored; they are read again as
        soon as something changes, here or in another tab.
      </p>
      <dl>
        <dt>Partition</dt>
        <dd>Items with the same partition key. One Query reads them, in the order of their sort keys.</dd>
        <dt>Entity</dt>
        <dd>A kind of item. The model says how its keys are made and which attributes it has.</dd>
        <dt>Leads to</dt>
        <dd>Other partitions of yours that the model can make of an item: from a head to the snapshot it points at.</dd>
      </dl>
      <p>
        With <strong>Copy</strong> you get the items as JSON, or the command that reads the same with the AWS command line. The store speaks
        DynamoDB&rsquo;s protocol at this very address.
      </p>
    </section>
  );
}
