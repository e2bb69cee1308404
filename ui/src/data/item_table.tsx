import { useRef } from "preact/hooks";
import { Badge, Button, classNames, Icon } from "../parts";
import { copyText } from "../shell";
import { plainItem, shortText, type AttributeMap } from "./attribute_value";
import { getItemCommand } from "./aws_command";
import { keyOf, type ItemChanges } from "./item_changes";
import { KeyText } from "./key_text";
import { addressOf, type Place } from "./place";
import type { DataItem, PartitionData } from "./use_partition";

export type Format = "plain" | "dynamodb";

interface ItemTableProps {
  place: Place;
  entities: PartitionData["entities"];
  items: DataItem[];
  keyName: string;
  format: Format;
  changes: ItemChanges | null;
  open: ReadonlySet<string>;
  onToggle: (key: string) => void;
}

/** Roles are said although they are the table's own: on narrow screens its lines become blocks, and would lose them. */
export function ItemTable(props: ItemTableProps) {
  const table = useRef<HTMLTableElement>(null);
  const { items, keyName } = props;

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || !(event.target instanceof Element) || !event.target.matches(".item-toggle")) return;
    const toggles = [...table.current!.querySelectorAll<HTMLElement>(".item-toggle")];
    toggles[toggles.indexOf(event.target as HTMLElement) + step]?.focus();
    event.preventDefault();
  };

  return (
    <table class="items" role="table" ref={table} onKeyDown={onKeyDown}>
      <caption class="unseen">Items of this partition</caption>
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" scope="col">
            {sortKeyName(items, keyName)}
          </th>
          <th role="columnheader" scope="col">
            Entity
          </th>
          <th role="columnheader" scope="col">
            Attributes
          </th>
          {hasLinks(items) && (
            <th role="columnheader" scope="col">
              Leads to
            </th>
          )}
        </tr>
      </thead>
      {items.map((item) => (
        <ItemRows key={keyOf(item)} item={item} {...props} />
      ))}
    </table>
  );
}

function hasLinks(items: DataItem[]): boolean {
  return items.some(({ links }) => links.length > 0);
}

function sortKeyName(items: DataItem[], keyName: string): string {
  return Object.keys(items[0]?.keys ?? {}).find((name) => name !== keyName) ?? "Key";
}

function ItemRows({ item, items, place, entities, keyName, format, changes, open, onToggle }: ItemTableProps & { item: DataItem }) {
  const key = keyOf(item);
  const isOpen = open.has(key);
  const entity = entities.find(({ name }) => name === item.entity);
  const mark = changes?.added.has(key) ? "New" : changes?.changed.has(key) ? "Changed" : null;
  const sortKey = Object.entries(item.keys).find(([name]) => name !== keyName);
  const text = sortKey ? shortText(sortKey[1]) : place.partition;
  return (
    <tbody role="rowgroup" class={classNames("item", isOpen && "item-open", mark && `item-${mark.toLowerCase()}`)}>
      <tr role="row">
        <th role="rowheader" scope="row" class="item-key">
          <button
            type="button"
            class="item-toggle"
            aria-expanded={isOpen}
            aria-label={`${text}: all of the item`}
            onClick={() => onToggle(key)}
          >
            <Icon name={isOpen ? "chevron-down" : "chevron-right"} size={14} />
          </button>
          <KeyText text={text} template={entity?.sk} />
        </th>
        <td role="cell" class="item-entity">
          <span class="one-line">{item.entity ?? <span class="faint">not in the model</span>}</span>
          {mark && <Badge tone={mark === "New" ? "success" : "warning"}>{mark}</Badge>}
        </td>
        <td role="cell" class="item-attributes">
          <Attributes attributes={item.attributes} format={format} />
        </td>
        {hasLinks(items) && (
          <td role="cell" class="item-links">
            {item.links.map((link) => (
              <a key={link.partition} href={addressOf(link)} aria-label={`${link.entities.join(", ")} of ${text}`}>
                {link.entities.join(", ")}
              </a>
            ))}
          </td>
        )}
      </tr>
      {isOpen && (
        <tr role="row">
          <td role="cell" colSpan={4} class="item-whole">
            <WholeItem item={item} place={place} format={format} />
          </td>
        </tr>
      )}
    </tbody>
  );
}

function Attributes({ attributes, format }: { attributes: AttributeMap; format: Format }) {
  const entries = Object.entries(attributes);
  if (entries.length === 0) return <span class="faint">no others</span>;
  if (format === "dynamodb") return <code class="item-json">{JSON.stringify(attributes)}</code>;
  return (
    <dl class="item-values">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{shortText(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function WholeItem({ item, place, format }: { item: DataItem; place: Place; format: Format }) {
  const whole = { ...item.keys, ...item.attributes };
  const text = JSON.stringify(format === "plain" ? plainItem(whole) : whole, null, 2);
  return (
    <div class="stack">
      <pre class="json" tabIndex={0} role="group" aria-label="The item as JSON">
        {text}
      </pre>
      {item.hidden.length > 0 && <p class="small faint">Stored as well, but secret: {item.hidden.join(", ")}.</p>}
      <div class="row wrap">
        <Button size="small" icon="copy" onClick={() => void copyText(text, "Item copied.")}>
          Copy as JSON
        </Button>
        <Button
          size="small"
          icon="copy"
          onClick={() => void copyText(getItemCommand(location.origin, place.table, item.keys), "Command copied.")}
        >
          Copy as aws command
        </Button>
      </div>
    </div>
  );
}
