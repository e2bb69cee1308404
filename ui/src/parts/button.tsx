import type { ComponentChildren, JSX, Ref } from "preact";
import { classNames } from "./class_names";
import { Icon, type IconName } from "./icon";
import { tooltip } from "./tooltip";
import "./button.css";

type Native = Omit<JSX.HTMLAttributes<HTMLButtonElement>, "ref" | "size" | "icon" | "label" | "loading" | "class">;

export interface ButtonProps extends Native {
  /** primary: the one thing to do here. quiet: no ground until it is pointed at. */
  variant?: "primary" | "secondary" | "quiet" | "danger";
  size?: "normal" | "small";
  icon?: IconName | undefined;
  /** Being worked on: says so, and cannot be pressed again. The width stays. */
  busy?: boolean;
  disabled?: boolean;
  /** "submit" sends the form around it. */
  type?: "button" | "submit";
  form?: string;
  /** Shown in the tooltip; the shortcut itself is made with useShortcut. */
  keys?: string;
  elementRef?: Ref<HTMLButtonElement> | undefined;
  class?: string | undefined;
  children: ComponentChildren;
}

export function Button(props: ButtonProps) {
  const { variant = "secondary", size = "normal", icon, busy = false, disabled, type = "button", keys, ...rest } = props;
  const { elementRef, children, class: extra, ...native } = rest;
  return (
    <button
      {...native}
      {...(keys === undefined ? {} : tooltip("", keys))}
      ref={elementRef ?? null}
      type={type}
      class={classNames("button", `button-${variant}`, size === "small" && "button-small", extra)}
      disabled={disabled}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? (event: Event) => event.preventDefault() : native.onClick}
    >
      {icon && <Icon name={icon} />}
      <span class="button-text">{children}</span>
      {busy && <span class="button-spinner" />}
    </button>
  );
}

interface LinkButtonProps {
  href: string;
  icon?: IconName;
  /** A file that the browser saves. */
  download?: boolean;
  children: ComponentChildren;
}

/** Looks like a button, and leads to an address. */
export function LinkButton({ href, icon, download = false, children }: LinkButtonProps) {
  return (
    <a class="button button-secondary" href={href} download={download}>
      {icon && <Icon name={icon} />}
      <span class="button-text">{children}</span>
    </a>
  );
}

export interface IconButtonProps extends Native {
  icon: IconName;
  /** What it does: its name for screen readers, and its tooltip. */
  label: string;
  keys?: string | undefined;
  size?: "normal" | "small";
  variant?: "quiet" | "secondary" | "danger";
  disabled?: boolean;
  elementRef?: Ref<HTMLButtonElement> | undefined;
  class?: string | undefined;
}

export function IconButton(props: IconButtonProps) {
  const { icon, label, keys, size = "normal", variant = "quiet", elementRef, class: extra, ...native } = props;
  return (
    <button
      {...native}
      {...tooltip(label, keys)}
      ref={elementRef ?? null}
      type="button"
      aria-label={label}
      class={classNames("button", "icon-button", `button-${variant}`, size === "small" && "button-small", extra)}
    >
      <Icon name={icon} size={size === "small" ? 15 : 17} />
    </button>
  );
}
