// Day by day as a list; what is overdue comes first.

import { useMemo } from "preact/hooks";
import { Badge, classNames, dayName, dayText, EmptyState, Icon } from "../parts";
import type { CalendarModel } from "./calendar_model";
import type { Item } from "./calendar_types";
import { daySpan, isLong } from "./day_layout";
import { besidesText, iconOf, rangeText, toneOf } from "./item_words";
import "./agenda_list.css";

export function AgendaList({ model }: { model: CalendarModel }) {
  const { items, overdue, days, zone, today } = model;
  const byDay = useMemo(
    () =>
      days
        .map((day) => ({
          day,
          items: items.filter((item) => {
            const { from, to } = daySpan(item, zone);
            return from <= day && day < to;
          }),
        }))
        .filter((entry) => entry.items.length > 0),
    [items, days, zone],
  );
  if (byDay.length === 0 && overdue.length === 0) {
    return (
      <EmptyState icon="calendar" title="Nothing scheduled">
        <p>Press n to add an event, or look at later days.</p>
      </EmptyState>
    );
  }
  return (
    <div class="agenda">
      {overdue.length > 0 && (
        <section class="agenda-day" aria-labelledby="agenda-overdue">
          <h2 id="agenda-overdue" class="agenda-overdue">
            Overdue
          </h2>
          <ul role="list">
            {overdue.map((item) => (
              <Line key={item.id} item={item} model={model} when={dayText(daySpan(item, zone).from, "short")} />
            ))}
          </ul>
        </section>
      )}
      {byDay.map(({ day, items: own }) => (
        <section key={day} class="agenda-day" aria-labelledby={`agenda-${day}`}>
          <h2 id={`agenda-${day}`} class={classNames(day === today && "agenda-today")}>
            {dayText(day)} {Math.abs(Date.parse(day) - Date.parse(today)) <= 86_400_000 && <span class="faint">{dayName(day, today)}</span>}
          </h2>
          <ul role="list">
            {own.map((item) => (
              <Line key={item.id} item={item} model={model} when={isLong(item) ? "all day" : rangeText(item, zone)} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function Line({ item, model, when }: { item: Item; model: CalendarModel; when: string }) {
  const icon = iconOf(item);
  const tags = (item.tags ?? []).slice(0, 3);
  return (
    <li data-id={item.id}>
      <button type="button" class={classNames("agenda-line", item.done && "agenda-done")} onClick={() => model.onEdit(item)}>
        <span class={classNames("agenda-dot", `tone-${toneOf(item)}`)}>{icon && <Icon name={icon} size={14} />}</span>
        <span class="agenda-when numbers soft">{when}</span>
        <span class="grow">
          <span class="agenda-title">{item.title}</span>
          {item.location !== undefined && item.location !== "" && <span class="faint small agenda-place">{item.location}</span>}
        </span>
        <span class="unseen">{besidesText(item, model.zone, { time: true, day: true, place: true })}</span>
        {item.entityType === "INSTANCE" && <Icon name="repeat" size={14} />}
        {(item.late || tags.length > 0) && (
          <span class="agenda-tags">
            {item.late && <Badge tone="warning">late</Badge>}
            {tags.map((tag) => (
              <Badge key={tag}>{tag}</Badge>
            ))}
          </span>
        )}
      </button>
    </li>
  );
}
