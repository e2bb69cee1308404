import { useMemo } from "preact/hooks";
import { diffWords } from "./word_diff";

/** A text with what was taken out and put in. Screen readers are told by the elements. */
export function WordDiff({ from, to }: { from: string; to: string }) {
  const runs = useMemo(() => diffWords(from, to), [from, to]);
  return (
    <span class="word-diff">
      {runs.map(({ kind, text }, index) => {
        if (kind === "same") return <span key={index}>{text}</span>;
        return kind === "gone" ? (
          <del key={index} class="word-gone">
            {text}
          </del>
        ) : (
          <ins key={index} class="word-new">
            {text}
          </ins>
        );
      })}
    </span>
  );
}
