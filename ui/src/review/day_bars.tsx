import { classNames, dayText } from "../parts";
import { countDays, type ReviewState } from "./week";

/** A bar per day: what was completed, and behind it what was added. Each leads to the plan of its day. */
export function DayBars({ state }: { state: ReviewState }) {
  const days = countDays(state);
  const most = Math.max(4, ...days.map(({ completed, added }) => Math.max(completed, added)));
  const { today } = state.settings;
  return (
    <div class="day-bars">
      <ol role="list" class="bars-days" aria-label="Completed and added by day">
        {days.map(({ day, completed, added }) => (
          <li key={day} class={classNames("bars-day", day === today && "bars-today")}>
            <a
              class="bars-link"
              href={day === today ? "/today" : `/today/${day}`}
              aria-label={`${dayText(day)}: ${completed} completed, ${added} added. Open the plan`}
            >
              <span class="bars-columns" aria-hidden="true">
                <span class="bars-bar bars-completed" style={{ height: `${(completed / most) * 100}%` }} />
                <span class="bars-bar bars-added" style={{ height: `${(added / most) * 100}%` }} />
              </span>
              <span class="bars-count numbers" aria-hidden="true">
                {completed > 0 ? completed : ""}
              </span>
              <span class="bars-name" aria-hidden="true">
                {dayText(day, "short").slice(0, 3)}
              </span>
            </a>
          </li>
        ))}
      </ol>
      <div class="row small faint bars-legend" aria-hidden="true">
        <span class="bars-key bars-completed" /> completed
        <span class="bars-key bars-added" /> added
      </div>
    </div>
  );
}
