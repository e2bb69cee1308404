// Says something to screen readers that others see: "Moved below Health". Two regions take turns, so that the same
// sentence twice is said twice.

import { signal } from "@preact/signals";

const said = signal({ text: "", turn: 0 });

export function announce(text: string): void {
  said.value = { text, turn: 1 - said.value.turn };
}

/** Mounted once, by the shell. */
export function AnnounceHost() {
  const { text, turn } = said.value;
  return (
    <div class="unseen">
      <div aria-live="polite">{turn === 0 ? text : ""}</div>
      <div aria-live="polite">{turn === 1 ? text : ""}</div>
    </div>
  );
}
