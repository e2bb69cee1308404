import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { Mark } from "../parts";
import "./card.css";

/** The frame of the pages for those who are not signed in. */
export function Card(props: { title: string; switchTo: ComponentChildren; children: ComponentChildren }) {
  const { title } = props;
  useEffect(() => {
    document.title = `${title} · Cairn`;
  }, [title]);
  return (
    <div class="sign-in">
      <div class="sign-in-brand">
        <Mark size={34} />
        <span>Cairn</span>
      </div>
      <div class="sign-in-card">
        <h1>{title}</h1>
        {props.children}
      </div>
      <p class="sign-in-switch soft">{props.switchTo}</p>
    </div>
  );
}
