// Small things that only show something.

import type { ComponentChildren } from "preact";
import { classNames } from "./class_names";
import { Icon, type IconName } from "./icon";
import { dateTimeText, relativeText } from "./time";
import { Button } from "./button";
import "./show.css";

export type Tone = "neutral" | "accent" | "success" | "warning" | "danger" | "info";

export function Badge({ tone = "neutral", icon, children }: { tone?: Tone; icon?: IconName; children: ComponentChildren }) {
  return (
    <span class={classNames("badge", `tone-${tone}`)}>
      {icon && <Icon name={icon} size={13} />}
      {children}
    </span>
  );
}

/** Says something where it matters, with what can be done about it. */
export function Notice(props: { tone?: Tone; title?: string; children: ComponentChildren; action?: { label: string; run: () => void } }) {
  const { tone = "info", title, children, action } = props;
  const icon: IconName = tone === "danger" || tone === "warning" ? "warning" : tone === "success" ? "done" : "info";
  return (
    <div class={classNames("notice", `tone-${tone}`)} role={tone === "danger" ? "alert" : "status"}>
      <Icon name={icon} size={18} />
      <div class="grow">
        {title && <strong>{title} </strong>}
        {children}
      </div>
      {action && (
        <Button size="small" onClick={action.run}>
          {action.label}
        </Button>
      )}
    </div>
  );
}

/** What a page shows instead of nothing: what will be here, and the way to begin. */
export function EmptyState(props: { icon: IconName; title: string; children?: ComponentChildren; actions?: ComponentChildren }) {
  return (
    <div class="empty-state">
      <span class="empty-state-icon">
        <Icon name={props.icon} size={28} />
      </span>
      <h2>{props.title}</h2>
      {props.children && <div class="soft">{props.children}</div>}
      {props.actions && <div class="row wrap empty-state-actions">{props.actions}</div>}
    </div>
  );
}

/** Grey where text will be. Give it the size of what comes, so that nothing jumps. */
export function Skeleton(props: { width?: string; height?: string; class?: string }) {
  const { width = "100%", height = "1em" } = props;
  return <span class={classNames("skeleton", props.class)} style={{ width, height }} aria-hidden="true" />;
}

/** Lines of a list that is being read. Screen readers are told once that it is. */
export function SkeletonRows({ rows = 6, height = "var(--row)", label = "Loading" }) {
  const widths = ["62%", "48%", "71%", "39%", "55%", "66%"];
  return (
    <div class="skeleton-rows" role="status">
      <span class="unseen">{label}…</span>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} class="skeleton-row" style={{ height }}>
          <Skeleton width="16px" height="16px" class="skeleton-round" />
          <Skeleton width={widths[index % widths.length]} height="12px" />
        </div>
      ))}
    </div>
  );
}

export function Spinner({ label = "Working" }: { label?: string }) {
  return (
    <span role="status">
      <span class="spinner" aria-hidden="true" />
      <span class="unseen">{label}…</span>
    </span>
  );
}

export function ProgressBar({ value, total, label }: { value: number; total: number; label: string }) {
  const share = total === 0 ? 0 : Math.min(value / total, 1);
  return (
    <span class="progress" role="progressbar" aria-label={label} aria-valuemin={0} aria-valuemax={total} aria-valuenow={value}>
      <span class="progress-fill" style={{ transform: `scaleX(${share})` }} />
    </span>
  );
}

/** A ring that fills: progress of a milestone, time left of a pomodoro. */
export function ProgressRing(props: { share: number; size?: number; label?: string; stroke?: number }) {
  const { share, size = 16, label, stroke = 2.5 } = props;
  const radius = (size - stroke) / 2;
  const round = 2 * Math.PI * radius;
  const named = label === undefined ? { "aria-hidden": true } : { role: "img" as const, "aria-label": label };
  return (
    <svg class="progress-ring" width={size} height={size} viewBox={`0 0 ${size} ${size}`} {...named}>
      <circle class="progress-ring-track" cx={size / 2} cy={size / 2} r={radius} fill="none" stroke-width={stroke} />
      <circle
        class="progress-ring-fill"
        cx={size / 2}
        cy={size / 2}
        r={radius}
        fill="none"
        stroke-width={stroke}
        stroke-dasharray={`${round}`}
        stroke-dashoffset={round * (1 - Math.max(0, Math.min(share, 1)))}
        transform={`rotate(-90 ${size / 2} ${size / 2})`}
      />
    </svg>
  );
}

/** "5 minutes ago", with the exact time for whoever points at it. */
export function When({ at, now = new Date() }: { at: string; now?: Date }) {
  const time = new Date(at);
  return (
    <time dateTime={at} data-tooltip={dateTimeText(time)}>
      {relativeText(time, now)}
    </time>
  );
}
