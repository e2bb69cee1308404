// Says that the connection is lost, what happens to changes, and when it is back. Floats, so that nothing jumps.

import { useEffect, useState } from "preact/hooks";
import { live } from "../api";
import { Button, classNames, Icon } from "../parts";
import { unsavedCount } from "../state";
import "./connection.css";

const kPatienceMs = 1500; // shorter losses mend themselves before anybody could read about them
const kBackMs = 2500;

type Shown = "nothing" | "lost" | "back";

export function ConnectionBanner() {
  const state = live.state.value;
  const lost = state === "waiting" || state === "connecting";
  const [shown, setShown] = useState<Shown>("nothing");

  useEffect(() => {
    const next: Shown | null = lost ? "lost" : shown === "lost" ? "back" : shown === "back" ? "nothing" : null;
    if (next === null || next === shown) return undefined;
    const timer = setTimeout(() => setShown(next), lost ? kPatienceMs : next === "nothing" ? kBackMs : 0);
    return () => clearTimeout(timer);
  }, [lost, shown]);

  const waiting = unsavedCount.value;
  return (
    <div class="connection" role="status">
      {shown !== "nothing" && (
        <div class={classNames("connection-pill", shown === "back" && "connection-back")}>
          <Icon name={shown === "lost" ? "offline" : "done"} size={16} />
          <span>{shown === "lost" ? lostText(waiting) : "Back online."}</span>
          {shown === "lost" && (
            <Button size="small" variant="quiet" onClick={() => live.hurry()}>
              Try now
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

function lostText(waiting: number): string {
  if (waiting === 0) return "No connection to Cairn. Trying again…";
  return waiting === 1
    ? "No connection. 1 change will be sent when it is back."
    : `No connection. ${waiting} changes will be sent when it is back.`;
}

/** Tries again at once when there is reason to, and warns before changes that were not sent are closed away. */
export function watchConnection(): () => void {
  const hurry = () => document.visibilityState === "visible" && live.hurry();
  const warn = (event: BeforeUnloadEvent) => unsavedCount.value > 0 && event.preventDefault();
  addEventListener("online", hurry);
  document.addEventListener("visibilitychange", hurry);
  addEventListener("beforeunload", warn);
  return () => {
    removeEventListener("online", hurry);
    document.removeEventListener("visibilitychange", hurry);
    removeEventListener("beforeunload", warn);
  };
}
