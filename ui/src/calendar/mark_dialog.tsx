import { Badge, Button, clockText, dayText, Dialog } from "../parts";
import { navigate } from "../shell";
import type { Item } from "./calendar_types";
import { wallOf } from "./day_layout";

/** A task or a reminder, to look at: they are worked with elsewhere. */
export function MarkDialog({ item, zone, onClose }: { item: Item; zone: string; onClose: () => void }) {
  const isTask = item.entityType === "TASK";
  return (
    <Dialog
      title={item.title}
      size="small"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          {isTask && (
            <Button variant="primary" onClick={() => navigate(`/board?task=${encodeURIComponent(item.id)}`)}>
              Open on the board
            </Button>
          )}
        </>
      }
    >
      <p class="row wrap">
        <span>
          {isTask ? "Due" : "Reminds"} {dayText(wallOf(item.start, zone).day)}, {clockText(item.start, zone)}
        </span>
        {item.done && <Badge tone="success">done</Badge>}
        {item.state === "SNOOZED" && <Badge>snoozed</Badge>}
        {item.late && <Badge tone="warning">late</Badge>}
      </p>
    </Dialog>
  );
}
