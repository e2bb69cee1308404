import { useId, useRef } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { classNames } from "./class_names";
import { nextItem } from "./menu";
import "./tabs.css";

export interface Tab<Id extends string> {
  id: Id;
  label: string;
  count?: number | undefined;
}

interface TabsProps<Id extends string> {
  label: string;
  tabs: Tab<Id>[];
  current: Id;
  onChange: (id: Id) => void;
  /** The content of the current tab. */
  children: ComponentChildren;
}

export function Tabs<Id extends string>({ label, tabs, current, onChange, children }: TabsProps<Id>) {
  const base = useId();
  const list = useRef<HTMLDivElement>(null);
  const at = tabs.findIndex(({ id }) => id === current);

  const onKeyDown = (event: KeyboardEvent) => {
    const key = { ArrowRight: "ArrowDown", ArrowLeft: "ArrowUp" }[event.key] ?? event.key;
    const to = ["ArrowDown", "ArrowUp", "Home", "End"].includes(key)
      ? nextItem(
          key,
          at,
          tabs.map((tab) => tab.label),
        )
      : null;
    if (to === null || event.key === "ArrowDown" || event.key === "ArrowUp") return;
    event.preventDefault();
    onChange(tabs[to]!.id);
    (list.current!.children[to] as HTMLElement).focus();
  };

  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {tabs.map(({ id, label: text, count }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${base}-${id}`}
            aria-controls={`${base}-panel`}
            aria-selected={id === current}
            tabIndex={id === current ? 0 : -1}
            class={classNames("tab", id === current && "tab-current")}
            onClick={() => onChange(id)}
          >
            {text}
            {count !== undefined && <span class="tab-count numbers">{count}</span>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${current}`}>
        {children}
      </div>
    </>
  );
}
