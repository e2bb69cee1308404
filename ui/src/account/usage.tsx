import { api, useMe, useRoom, type Schemas } from "../api";
import { Notice, ProgressBar, Section, SkeletonRows } from "../parts";
import { useResource } from "../state";
import { bytesText, productName } from "./usage_text";

/** What the account keeps, and how much room there is. */
export function Usage() {
  const me = useMe();
  const usage = useResource("usage", (signal) => api.get("/api/account/usage", { signal }));
  useRoom(`values:${me.userId}`, () => usage.refresh());
  useRoom(`nexus:${me.userId}`, () => usage.refresh());
  const problem = usage.problem.value;
  const data = usage.data.value;
  return (
    <Section title="Usage" intro="How much space your data takes. Every revision of your values and plans counts.">
      {problem && !data && (
        <Notice tone="danger" action={{ label: "Try again", run: () => void usage.refresh() }}>
          {problem.message}
        </Notice>
      )}
      {!data && !problem && <SkeletonRows rows={2} height="44px" label="Loading your usage" />}
      {data && <Shown usage={data} />}
    </Section>
  );
}

function Shown({ usage }: { usage: Schemas["AccountUsage"] }) {
  return (
    <div class="stack usage">
      <Amount name="Storage" value={usage.bytes} max={usage.bytesMax} text={bytesText} />
      <Amount name="Items" value={usage.items} max={usage.itemsMax} text={(count) => count.toLocaleString("en")} />
      <ul role="list" class="usage-products small soft">
        {usage.products.map(({ product, bytes, items }) => (
          <li key={product}>
            {productName(product)}: {bytesText(bytes)}, {items.toLocaleString("en")} {items === 1 ? "item" : "items"}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface AmountProps {
  name: string;
  value: number;
  max: number | undefined;
  text: (value: number) => string;
}

function Amount({ name, value, max, text }: AmountProps) {
  return (
    <div class="usage-amount">
      <div class="row">
        <span class="grow">{name}</span>
        <span class="soft">{max === undefined ? text(value) : `${text(value)} of ${text(max)}`}</span>
      </div>
      {max !== undefined && <ProgressBar value={Math.min(value, max)} total={max} label={name} />}
      {max !== undefined && value >= max && (
        <Notice tone="warning">You have no space left. Delete what you no longer need, or ask whoever runs this server.</Notice>
      )}
    </div>
  );
}
