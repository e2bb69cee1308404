import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { IconButton } from "./button";
import { classNames } from "./class_names";
import { LayerContext, useLayer } from "./layers";
import "./dialog.css";

export interface DialogProps {
  title: ComponentChildren;
  /** Escape, the cross, a press beside the dialog. */
  onClose: () => void;
  /** small: a question. medium: a form. large: something to read or compare. */
  size?: "small" | "medium" | "large";
  /** Buttons below the content, the one to press last. */
  footer?: ComponentChildren;
  /** alertdialog: something is about to be lost. */
  role?: "dialog" | "alertdialog";
  /** false: only its own buttons close it. */
  closable?: boolean;
  /** Stays where it is while the content grows, at the top of the window: for lists that are searched. */
  atTop?: boolean;
  class?: string;
  children: ComponentChildren;
}

/**
 * A modal dialog while it is rendered: `{open && <Dialog ...>}`. The browser keeps the focus inside and gives it back. The
 * element with `autofocus` has it first, otherwise the first one that can have it.
 */
export function Dialog(props: DialogProps) {
  const { title, onClose, size = "medium", footer, role = "dialog", closable = true, atTop = false, children } = props;
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const close = () => closable && onClose();
  const layer = useLayer(close);

  useLayoutEffect(() => {
    const dialog = element.current!;
    const before = document.activeElement;
    dialog.showModal();
    dialog.querySelector<HTMLElement>("[autofocus], [data-autofocus]")?.focus();
    return () => {
      dialog.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);

  return (
    <dialog
      ref={element}
      role={role}
      class={classNames("dialog", `dialog-${size}`, atTop && "dialog-at-top", props.class)}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onPointerDown={(event) => event.target === element.current && close()}
    >
      <LayerContext.Provider value={layer}>
        <div class="dialog-frame">
          <header class="dialog-head">
            <h2 id={titleId}>{title}</h2>
            {closable && <IconButton icon="close" label="Close" size="small" onClick={close} />}
          </header>
          <div class="dialog-body">{children}</div>
          {footer && <footer class="dialog-foot">{footer}</footer>}
        </div>
      </LayerContext.Provider>
    </dialog>
  );
}
