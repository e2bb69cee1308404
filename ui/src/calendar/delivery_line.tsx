import { classNames, Icon, useNow, type IconName } from "../parts";
import { deliveryWords, type Delivery } from "./delivery_words";

const kIcons: Record<Delivery["outcome"], IconName> = { DELIVERED: "done", RETRYING: "clock", GIVEN_UP: "warning" };
const kTones: Record<Delivery["outcome"], string> = { DELIVERED: "tone-success", RETRYING: "tone-warning", GIVEN_UP: "tone-danger" };

export function DeliveryLine({ delivery }: { delivery: Delivery | undefined }) {
  const now = useNow();
  if (!delivery) return <p class="small faint">No reminder has been sent yet.</p>;
  return (
    <p class={classNames("delivery", "small", kTones[delivery.outcome])}>
      <Icon name={kIcons[delivery.outcome]} size={15} />
      <span>{deliveryWords(delivery, new Date(now))}</span>
    </p>
  );
}
