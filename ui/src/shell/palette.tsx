// Everything that can be done now, by name: Ctrl K. And every shortcut there is: `?`. Both show what components have
// registered with useShortcut and useCommands; pages add what can be found with usePaletteSearch.

import { signal } from "@preact/signals";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { classNames, Dialog, Icon, Kbd, pageCommands, useShortcut, type Command } from "../parts";
import { rankCommands } from "./rank_commands";
import "./palette.css";

type Search = (text: string) => Command[];

const open = signal<"nothing" | "palette" | "help">("nothing");
const searches = signal<{ current: Search }[]>([]);

export function openPalette(): void {
  open.value = "palette";
}

export function openHelp(): void {
  open.value = "help";
}

/** Lets the palette find things of a page: called with what was typed (at least two letters), answers at most a few. */
export function usePaletteSearch(search: Search): void {
  const entry = useRef(search);
  entry.current = search;
  useEffect(() => {
    searches.value = [...searches.peek(), entry];
    return () => {
      searches.value = searches.peek().filter((other) => other !== entry);
    };
  }, []);
}

/** Mounted once. */
export function PaletteHost() {
  useShortcut("mod+k", openPalette, { label: "Search and commands", group: "General", icon: "search", inFields: true });
  useShortcut("?", openHelp, { label: "Keyboard shortcuts", group: "General", icon: "keyboard" });
  const close = () => (open.value = "nothing");
  if (open.value === "palette") return <Palette onClose={close} />;
  if (open.value === "help") return <Help onClose={close} />;
  return null;
}

function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const usable = pageCommands().filter((command) => !command.within && (!command.when || command.when()));
  const commands = rankCommands(usable, text);
  const found = text.trim().length < 2 ? [] : searches.value.flatMap(({ current }) => current(text.trim()));
  const lines = [...commands, ...found];
  const current = Math.min(at, lines.length - 1);

  useEffect(() => list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }), [current]);

  function choose(command: Command | undefined) {
    if (!command) return;
    onClose();
    queueMicrotask(() => command.run());
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && lines.length > 0) setAt((current + step + lines.length) % lines.length);
    else if (event.key === "Enter") choose(lines[current]);
    else return;
    event.preventDefault();
  };

  return (
    <Dialog title="Search and commands" onClose={onClose} atTop class="palette">
      <input
        class="input palette-input"
        type="text"
        role="combobox"
        aria-label="Search"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={lines.length > 0 ? `${id}-${current}` : undefined}
        placeholder="What do you want to do?"
        autocomplete="off"
        data-autofocus
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div class="palette-list" role="listbox" id={`${id}-list`} aria-label="Commands" ref={list}>
        {lines.map((command, index) => (
          <div
            key={index}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === current}
            class={classNames("palette-line", index === current && "palette-line-current")}
            onPointerMove={() => setAt(index)}
            onClick={() => choose(command)}
          >
            <Icon name={command.icon ?? "chevron-right"} />
            <span class="grow one-line">{command.label}</span>
            {command.group && <span class="faint small">{command.group}</span>}
            {command.keys && <Kbd keys={command.keys} />}
          </div>
        ))}
        {lines.length === 0 && <p class="faint palette-none">Nothing is called “{text}”.</p>}
      </div>
    </Dialog>
  );
}

function Help({ onClose }: { onClose: () => void }) {
  const groups = new Map<string, Command[]>();
  for (const command of pageCommands()) {
    if (command.keys === undefined) continue;
    const group = command.group ?? "This page";
    groups.set(group, [...(groups.get(group) ?? []), command]);
  }
  return (
    <Dialog title="Keyboard shortcuts" size="large" onClose={onClose}>
      <div class="help">
        {[...groups].map(([group, commands]) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {commands.map((command, index) => (
                <div class="help-line" key={index}>
                  <dt>{command.label}</dt>
                  <dd>
                    <Kbd keys={command.keys!} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
