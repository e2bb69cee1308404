import { keyCaps } from "./shortcuts";
import "./kbd.css";

/** A shortcut as keys: `<Kbd keys="mod+k" />`, `<Kbd keys="g v" />` (one after the other). */
export function Kbd({ keys }: { keys: string }) {
  return (
    <span class="kbd-keys">
      {keyCaps(keys).map((cap, index) => (
        <kbd class="kbd" key={index}>
          {cap}
        </kbd>
      ))}
    </span>
  );
}
