import { Icon, ProgressRing, type IconName } from "../parts";
import { byDriver, type DriverWeek, type Node, type ReviewState } from "./week";

const kLists: { name: "completed" | "added" | "archived"; title: string; icon: IconName }[] = [
  { name: "completed", title: "Completed", icon: "done" },
  { name: "added", title: "Added", icon: "plus" },
  { name: "archived", title: "Archived", icon: "archive" },
];

export function nodeAddress(nodeId: string): string {
  return `/values?node=${encodeURIComponent(nodeId)}`;
}

/** What happened, driver by driver. */
export function DriverSections({ state }: { state: ReviewState }) {
  return (
    <section aria-label="By driver" class="stack drivers">
      {byDriver(state).map((week) => (
        <DriverSection key={week.driverId} week={week} />
      ))}
    </section>
  );
}

function DriverSection({ week }: { week: DriverWeek }) {
  const { title, driverId, done, total, completed, added, archived } = week;
  const isQuiet = completed.length + added.length + archived.length === 0;
  return (
    <article class="driver">
      <header class="row driver-head">
        <ProgressRing share={total === 0 ? 0 : done / total} size={22} stroke={3} />
        <h2 class="grow">{driverId === "" ? title : <a href={nodeAddress(driverId)}>{title}</a>}</h2>
        <span class="small faint numbers">
          {done} of {total} done
        </span>
      </header>
      {isQuiet ? (
        <p class="small faint driver-quiet">A quiet week here.</p>
      ) : (
        kLists.map(({ name, title: heading, icon }) =>
          week[name].length === 0 ? null : (
            <div key={name} class={`driver-list driver-${name}`}>
              <h3 class="unseen">{heading}</h3>
              <ul role="list">
                {week[name].map((node) => (
                  <NodeLine key={node.nodeId} node={node} icon={icon} heading={heading} />
                ))}
              </ul>
            </div>
          ),
        )
      )}
    </article>
  );
}

function NodeLine({ node, icon, heading }: { node: Node; icon: IconName; heading: string }) {
  return (
    <li class="row driver-line">
      <Icon name={icon} size={15} />
      <a href={nodeAddress(node.nodeId)} class="grow">
        {node.title}
      </a>
      <span class="small faint">
        {node.nodeType === "ACTION" ? "" : `${node.nodeType.toLowerCase()} `}
        {heading.toLowerCase()}
      </span>
    </li>
  );
}
