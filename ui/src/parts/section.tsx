import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import "./section.css";

/** A part of a page of settings: what it is about beside what can be done. */
export function Section({ title, intro, children }: { title: string; intro?: string; children: ComponentChildren }) {
  const id = useId();
  return (
    <section class="section" aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        {intro && <p class="small soft">{intro}</p>}
      </div>
      <div>{children}</div>
    </section>
  );
}
