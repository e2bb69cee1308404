// Markdown on the page, as elements: nothing of the text is ever taken for HTML.

import { Fragment } from "preact";
import { useMemo } from "preact/hooks";
import { parseMarkdown, type Block, type Inline } from "./markdown";
import "./markdown.css";

export function Markdown({ text }: { text: string }) {
  const blocks = useMemo(() => parseMarkdown(text), [text]);
  return (
    <div class="markdown">
      <Blocks blocks={blocks} />
    </div>
  );
}

function Blocks({ blocks }: { blocks: Block[] }) {
  return (
    <>
      {blocks.map((block, index) => (
        <OneBlock key={index} block={block} />
      ))}
    </>
  );
}

function OneBlock({ block }: { block: Block }) {
  switch (block.kind) {
    case "heading":
      // All are one level below the note's own title, however they are written: the outline of the page has no gaps.
      return (
        <h3 class={`markdown-heading-${Math.min(block.level, 3)}`}>
          <Inlines parts={block.inner} />
        </h3>
      );
    case "paragraph":
      return (
        <p>
          <Inlines parts={block.inner} />
        </p>
      );
    case "code":
      return (
        <pre tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      );
    case "quote":
      return (
        <blockquote>
          <Blocks blocks={block.blocks} />
        </blockquote>
      );
    case "line":
      return <hr />;
    case "list": {
      const items = block.items.map(({ inner, ticked, below }, index) => (
        <li key={index} class={ticked === undefined ? undefined : "markdown-tick"}>
          {ticked !== undefined && (
            <span class="markdown-box" role="img" aria-label={ticked ? "done" : "open"} data-ticked={ticked || undefined} />
          )}
          <Inlines parts={inner} />
          <Blocks blocks={below} />
        </li>
      ));
      return block.ordered ? <ol start={block.start}>{items}</ol> : <ul>{items}</ul>;
    }
  }
}

function Inlines({ parts }: { parts: Inline[] }) {
  return (
    <>
      {parts.map((part, index) => (
        <OneInline key={index} part={part} />
      ))}
    </>
  );
}

function OneInline({ part }: { part: Inline }) {
  switch (part.kind) {
    case "text":
      return <Fragment>{part.text}</Fragment>;
    case "code":
      return <code>{part.text}</code>;
    case "break":
      return <br />;
    case "strong":
      return (
        <strong>
          <Inlines parts={part.inner} />
        </strong>
      );
    case "emphasis":
      return (
        <em>
          <Inlines parts={part.inner} />
        </em>
      );
    case "struck":
      return (
        <s>
          <Inlines parts={part.inner} />
        </s>
      );
    case "link":
      return (
        <a href={part.to} target="_blank" rel="noopener noreferrer">
          <Inlines parts={part.inner} />
        </a>
      );
  }
}
