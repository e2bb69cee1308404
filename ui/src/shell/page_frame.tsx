import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { announce, classNames } from "../parts";
import { address } from "./router";
import "./page_frame.css";

interface PageFrameProps {
  /** The heading, and the title of the window. */
  title: string;
  /** A line below the heading. */
  intro?: ComponentChildren;
  /** Buttons at the right of the heading. */
  actions?: ComponentChildren;
  /** normal: something to read. wide: columns. full: all there is. */
  width?: "normal" | "wide" | "full";
  children: ComponentChildren;
}

/** What every page begins with. After a change of page its heading has the focus, so that screen readers read it. */
export function PageFrame({ title, intro, actions, width = "normal", children }: PageFrameProps) {
  const heading = useRef<HTMLHeadingElement>(null);

  useLayoutEffect(() => {
    document.title = `${title} · Cairn`;
  }, [title]);

  useLayoutEffect(() => {
    if (address.peek().visit === 0) return;
    scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
    announce(document.title);
  }, []);

  return (
    <div class={classNames("page", `page-${width}`)}>
      <header class="page-head">
        <div class="page-title">
          <h1 tabIndex={-1} ref={heading}>
            {title}
          </h1>
          {intro && <div class="page-intro">{intro}</div>}
        </div>
        {actions && <div class="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
