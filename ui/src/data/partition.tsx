import { useEffect, useRef, useState } from "preact/hooks";
import { useMe, useRoom } from "../api";
import {
  Badge,
  Button,
  EmptyState,
  Icon,
  IconButton,
  Menu,
  Notice,
  Segmented,
  Select,
  SkeletonRows,
  TextField,
  useShortcut,
} from "../parts";
import { copyText, navigate } from "../shell";
import { plainItem } from "./attribute_value";
import { partitionKeyName, queryCommand } from "./aws_command";
import { changesText } from "./item_changes";
import { ItemTable, type Format } from "./item_table";
import { KeyText } from "./key_text";
import { addressOf, planDayOf, type Place } from "./place";
import { usePartition, type DataItem, type PartitionData } from "./use_partition";

const kFormats = [
  { value: "plain" as const, label: "Plain" },
  { value: "dynamodb" as const, label: "DynamoDB JSON" },
];

interface PartitionProps {
  place: Place;
  /** What it is called where it is one to begin with. */
  label: string | undefined;
  format: Format;
  onFormat: (format: Format) => void;
  /** Where this label leads now, if that is another partition than it was. */
  moved: { label: string; place: Place } | null;
}

export function Partition({ place, label, format, onFormat, moved }: PartitionProps) {
  const me = useMe();
  const part = usePartition(place);
  const { data } = part;
  const [filter, setFilter] = useState("");
  const [entity, setEntity] = useState("");
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const section = useRef<HTMLElement>(null);
  const day = planDayOf(place);
  useRoom(`values:${me.userId}`, part.refresh);
  useRoom(day && `plan:${me.userId}:${day}`, part.refresh);

  const news = data?.changes ? changesText(data.changes) : "";
  const parent = data?.parents.at(-1);
  const group = "Data";
  useShortcut("r", () => void part.refresh(), { label: "Refresh", group, icon: "refresh" });
  useShortcut("f", () => onFormat(format === "plain" ? "dynamodb" : "plain"), { label: "Plain or DynamoDB JSON", group });
  useShortcut("u", () => (parent ? navigate(addressOf(parent)) : navigate("/data")), { label: "One level up", group });

  const keyName = partitionKeyName(data?.items[0]?.keys, place.partition);
  const shown = (data?.items ?? []).filter((item) => fits(item, entity, filter));

  function toggle(key: string) {
    const next = new Set(open);
    if (!next.delete(key)) next.add(key);
    setOpen(next);
  }

  return (
    <section class="partition" aria-labelledby="partition-title" ref={section}>
      <Head place={place} label={label} keyName={keyName} data={data} />
      {moved && (
        <Notice action={{ label: "Show it", run: () => navigate(addressOf(moved.place), "replace") }}>
          “{moved.label}” is another partition by now. What you see is the one before.
        </Notice>
      )}
      <div class="partition-tools">
        <TextField
          class="partition-filter"
          label="Filter the items read so far"
          hideLabel
          type="search"
          placeholder="Filter"
          value={filter}
          onInput={setFilter}
        />
        <Select
          label="Entity"
          hideLabel
          value={entity}
          choices={[{ value: "", label: "All entities" }, ...(data?.entities ?? []).map(({ name }) => ({ value: name, label: name }))]}
          onChange={setEntity}
        />
        <Segmented label="Attributes as" value={format} choices={kFormats} onChange={onFormat} />
        <span class="grow" />
        <CopyMenu place={place} keyName={keyName} items={shown} format={format} />
        <IconButton icon="refresh" label="Refresh" keys="r" onClick={() => void part.refresh()} />
      </div>
      <div class="partition-status row wrap small soft">
        <span role="status">
          {data && countText(data, shown.length)} {news}
        </span>
        {news !== "" && (
          <Button size="small" variant="quiet" onClick={() => showChange(section.current)}>
            Show change
          </Button>
        )}
      </div>
      {part.problem && <PartitionProblem problem={part.problem} onRetry={() => void part.refresh()} />}
      {!data && !part.problem && <SkeletonRows rows={8} height="45px" label="Loading the items" />}
      {data && shown.length > 0 && (
        <ItemTable
          place={place}
          entities={data.entities}
          items={shown}
          keyName={keyName}
          format={format}
          changes={data.changes}
          open={open}
          onToggle={toggle}
        />
      )}
      {data && shown.length === 0 && (
        <EmptyState icon="data" title={data.items.length === 0 ? "Nothing stored here" : "No items match the filter"} />
      )}
      {data?.nextCursor !== undefined && (
        <div>
          <Button size="small" busy={part.reading} onClick={part.readMore}>
            Load more
          </Button>
        </div>
      )}
      {part.moreProblem && <PartitionProblem problem={part.moreProblem} onRetry={part.readMore} />}
      {data && data.entities.length > 0 && <Names entities={data.entities} model={data.model} />}
    </section>
  );
}

/** Leads to the first item that is new or changed. */
function showChange(section: HTMLElement | null): void {
  const toggle = section?.querySelector<HTMLElement>(".item-new .item-toggle, .item-changed .item-toggle");
  toggle?.scrollIntoView({ block: "center" });
  toggle?.focus({ preventScroll: true });
}

function fits(item: DataItem, entity: string, filter: string): boolean {
  if (entity !== "" && item.entity !== entity) return false;
  const wanted = filter.trim().toLowerCase();
  return wanted === "" || JSON.stringify([item.keys, item.attributes, item.entity]).toLowerCase().includes(wanted);
}

function countText({ items, nextCursor }: PartitionData, shown: number): string {
  const read = `${items.length}${nextCursor === undefined ? "" : " read, there are more"}`;
  if (shown < items.length) return `${shown} of ${read}.`;
  return items.length === 1 && nextCursor === undefined ? "1 item." : `${read}${nextCursor === undefined ? " items" : ""}.`;
}

/** Where this partition is: the way up, its name, its key. */
function Head(props: { place: Place; label: string | undefined; keyName: string; data: PartitionData | undefined }) {
  const { place, label, keyName, data } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!document.activeElement || document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, [place.table, place.partition]);
  const template = data?.entities[0]?.pk;
  return (
    <div class="partition-head">
      <nav aria-label="Breadcrumb" class="way-up small">
        <a href="/data">Data</a>
        {data?.parents.map((parent) => (
          <a key={parent.partition} href={addressOf(parent)}>
            <KeyText text={parent.partition} />
          </a>
        ))}
      </nav>
      <h2 id="partition-title" tabIndex={-1} ref={heading}>
        {label ?? data?.entities.map(({ name }) => name).join(", ") ?? "Partition"}
      </h2>
      <div class="partition-key">
        <Badge>{place.table}</Badge>
        <span class="faint small">{keyName} =</span>
        <KeyText text={place.partition} template={template} />
        <IconButton
          icon="copy"
          size="small"
          label="Copy the partition key"
          onClick={() => void copyText(place.partition, "Partition key copied.")}
        />
      </div>
    </div>
  );
}

function CopyMenu(props: { place: Place; keyName: string; items: DataItem[]; format: Format }) {
  const { place, keyName, items, format } = props;
  const anchor = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const copyItems = () => {
    const whole = items.map((item) => ({ ...item.keys, ...item.attributes }));
    const text = JSON.stringify(format === "plain" ? whole.map(plainItem) : whole, null, 2);
    void copyText(text, items.length === 1 ? "1 item copied." : `${items.length} items copied.`);
  };
  const copyCommand = () => void copyText(queryCommand(location.origin, place.table, keyName, place.partition), "Command copied.");
  useShortcut("c", copyCommand, { label: "Copy as aws dynamodb query", group: "Data", icon: "copy" });
  return (
    <>
      <Button icon="copy" elementRef={anchor} aria-haspopup="menu" aria-expanded={open} onClick={() => setOpen(true)}>
        Copy
      </Button>
      {open && (
        <Menu
          anchor={anchor}
          label="Copy"
          onClose={() => setOpen(false)}
          entries={[
            { label: "Items as JSON", onSelect: copyItems, disabled: items.length === 0 },
            { label: "As aws dynamodb query", keys: "c", onSelect: copyCommand },
          ]}
        />
      )}
    </>
  );
}

function PartitionProblem({ problem, onRetry }: { problem: { status: number; message: string }; onRetry: () => void }) {
  if (problem.status === 404) {
    return (
      <Notice tone="warning">
        There is no such partition, or it is not yours. <a href="/data">Choose one that is.</a>
      </Notice>
    );
  }
  return (
    <Notice tone="danger" action={{ label: "Try again", run: onRetry }}>
      {problem.message}
    </Notice>
  );
}

/** What the model says of the entities seen here. */
function Names({ entities, model }: { entities: PartitionData["entities"]; model: string }) {
  return (
    <section class="names" aria-labelledby="names-title">
      <h3 id="names-title">
        <Icon name="info" size={15} /> The names, in the words of the model “{model}”
      </h3>
      <dl>
        {entities.map(({ name, doc, pk, sk }) => (
          <div key={name} class="name">
            <dt>{name}</dt>
            <dd>
              {doc && <p class="small soft">{doc}</p>}
              <p>
                <code class="key">{pk}</code> <span class="faint">/</span> <code class="key">{sk}</code>
              </p>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
