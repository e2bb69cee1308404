import { useRef, useState } from "preact/hooks";
import { IconButton, type IconButtonProps } from "./button";
import { classNames } from "./class_names";
import type { Side } from "./floating";
import { Icon, type IconName } from "./icon";
import { Kbd } from "./kbd";
import { Popover, type Anchor } from "./popover";
import "./menu.css";

export interface MenuItem {
  label: string;
  icon?: IconName | undefined;
  /** A reminder of the shortcut that does the same. */
  keys?: string | undefined;
  danger?: boolean;
  disabled?: boolean;
  /** Set: the item is one of several choices, and this says whether it is the current one. */
  checked?: boolean;
  onSelect: () => void;
}

export type MenuEntry = MenuItem | "line" | false | null | undefined;

export interface MenuProps {
  anchor: Anchor;
  label: string;
  entries: MenuEntry[];
  side?: Side;
  onClose: () => void;
}

/** A menu while it is rendered. Arrow keys, Home, End and first letters move; Enter chooses; Escape closes. */
export function Menu({ anchor, label, entries, side, onClose }: MenuProps) {
  const list = useRef<HTMLDivElement>(null);
  const shown = entries.filter((entry): entry is MenuItem | "line" => Boolean(entry));
  // A list of choices opens at the current one, any other menu at its first item.
  const items = shown.filter((entry) => entry !== "line");
  const first = items.every(({ checked }) => checked !== undefined) ? items.find(({ checked }) => checked) : undefined;

  const onKeyDown = (event: KeyboardEvent) => {
    const lines = [...list.current!.querySelectorAll<HTMLElement>("[role^=menuitem]:not(:disabled)")];
    const at = lines.indexOf(document.activeElement as HTMLElement);
    const to = nextItem(
      event.key,
      at,
      lines.map((line) => line.dataset.label ?? ""),
    );
    if (event.key === "Tab") onClose();
    if (to === null) return;
    event.preventDefault();
    lines[to]?.focus();
  };

  return (
    <Popover anchor={anchor} onClose={onClose} label={label} role="menu" class="menu" {...(side ? { side } : {})}>
      <div ref={list} onKeyDown={onKeyDown}>
        {shown.map((entry, index) =>
          entry === "line" ? (
            <hr class="menu-line" key={index} />
          ) : (
            <MenuLine key={index} item={entry} isFirst={entry === first} onClose={onClose} />
          ),
        )}
      </div>
    </Popover>
  );
}

function MenuLine({ item, isFirst, onClose }: { item: MenuItem; isFirst: boolean; onClose: () => void }) {
  const isChoice = item.checked !== undefined;
  const choose = () => {
    onClose();
    item.onSelect();
  };
  return (
    <button
      type="button"
      role={isChoice ? "menuitemradio" : "menuitem"}
      aria-checked={item.checked}
      disabled={item.disabled ?? false}
      data-label={item.label}
      data-autofocus={isFirst || undefined}
      class={classNames("menu-item", item.danger && "menu-item-danger")}
      onPointerEnter={(event) => event.currentTarget.focus({ preventScroll: true })}
      onClick={choose}
    >
      {isChoice ? <span class="menu-check">{item.checked && <Icon name="check" />}</span> : null}
      {item.icon && <Icon name={item.icon} />}
      <span class="grow">{item.label}</span>
      {item.keys && <Kbd keys={item.keys} />}
    </button>
  );
}

/** Which item a key leads to; null: none. */
export function nextItem(key: string, at: number, labels: string[]): number | null {
  const count = labels.length;
  if (count === 0) return null;
  if (key === "ArrowDown") return (at + 1) % count;
  if (key === "ArrowUp") return at <= 0 ? count - 1 : at - 1;
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  if (key.length !== 1 || key === " ") return null;
  for (let step = 1; step <= count; ++step) {
    const index = (at + step + count) % count;
    if (labels[index]!.toLowerCase().startsWith(key.toLowerCase())) return index;
  }
  return null;
}

type MenuButtonProps = Partial<IconButtonProps> & { label: string; entries: MenuEntry[]; side?: Side };

/** A button with an icon (three dots unless told) that opens a menu. */
export function MenuButton({ entries, side = "bottom-end", icon = "more", ...button }: MenuButtonProps) {
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  return (
    <>
      <IconButton
        {...button}
        icon={icon}
        elementRef={anchor}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown") return;
          event.preventDefault();
          setOpen(true);
        }}
      />
      {open && <Menu anchor={anchor} label={button.label} entries={entries} side={side} onClose={() => setOpen(false)} />}
    </>
  );
}
