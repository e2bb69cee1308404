import { useLayoutEffect, useRef } from "preact/hooks";
import { useLayerId } from "./layers";
import { register, type Command, type Registered } from "./shortcuts";

export type ShortcutOptions = Omit<Command, "keys" | "run">;

/**
 * A keyboard shortcut for as long as the component is shown, asleep while a dialog or menu lies on top of it:
 * `useShortcut("e", () => archive(selected), { label: "Archive", group: "Values", when: () => selected !== null })`.
 */
export function useShortcut(keys: string, run: Command["run"], options: ShortcutOptions = {}): void {
  useCommands([{ ...options, keys, run }]);
}

/** Several at once, with or without keys. The number of them must not change from one rendering to the next. */
export function useCommands(list: Command[]): void {
  const layer = useLayerId();
  const entries = useRef<{ current: Registered }[]>([]);
  list.forEach((command, index) => {
    const current = { ...command, layer };
    const entry = entries.current[index];
    if (entry) entry.current = current;
    else entries.current[index] = { current };
  });
  // Before anything is painted: whoever sees the page may press its keys.
  useLayoutEffect(() => {
    const leave = entries.current.map(register);
    return () => leave.forEach((run) => run());
  }, []);
}
