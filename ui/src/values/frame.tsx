import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { problemOf } from "../api";
import { classNames, IconButton, localDay, MenuButton, type MenuEntry } from "../parts";
import { PageFrame, toast, toastProblem } from "../shell";
import type { ValuesModel } from "./model";
import { importFile, readExport, saveFile } from "./transfer";

interface ValuesFrameProps {
  values: ValuesModel;
  title: string;
  room: "tree" | "history";
  menu?: MenuEntry[];
  children: ComponentChildren;
}

/** The head of all rooms of the page: tree and history, undo and redo, the file in and out. */
export function ValuesFrame({ values, title, room, menu = [], children }: ValuesFrameProps) {
  const file = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const isEmpty = values.store.server.value !== undefined && values.tree.value.revId === undefined;

  async function work(what: string, run: () => Promise<void>) {
    if (busy) return;
    setBusy(true);
    try {
      await run();
    } catch (thrown) {
      toastProblem(what, problemOf(thrown));
    } finally {
      setBusy(false);
    }
  }
  const exportAll = () =>
    work("The history could not be exported.", async () => {
      saveFile(await readExport(), `cairn-values-${localDay(new Date())}.ndjson`);
    });
  const importAll = (chosen: File) =>
    work("The file could not be imported.", async () => {
      const revisions = await importFile(chosen);
      await values.store.refresh();
      toast({ text: `Imported ${revisions} ${revisions === 1 ? "revision" : "revisions"}.`, tone: "success" });
    });

  return (
    <PageFrame
      title={title}
      width="full"
      actions={
        <>
          <nav class="values-rooms" aria-label="Values">
            <RoomLink href="/values" name="Tree" isHere={room === "tree"} />
            <RoomLink href="/values/history" name="History" isHere={room === "history"} />
          </nav>
          <div class="row values-steps">
            <IconButton icon="undo" label="Undo" keys="mod+z" disabled={isEmpty} onClick={() => values.undo()} />
            <IconButton icon="redo" label="Redo" keys="mod+shift+z" disabled={isEmpty} onClick={() => values.redo()} />
            <MenuButton
              label="More"
              entries={[
                ...menu,
                menu.length > 0 && "line",
                { label: "Export the whole history", icon: "external", disabled: isEmpty, onSelect: () => void exportAll() },
                { label: "Import a history", icon: "restore", onSelect: () => (isEmpty ? file.current?.click() : sayWhyNot()) },
              ]}
            />
          </div>
          <input
            ref={file}
            type="file"
            hidden
            aria-label="File to import"
            accept=".ndjson,.jsonl,application/x-ndjson"
            onChange={(event) => {
              const chosen = event.currentTarget.files?.[0];
              event.currentTarget.value = "";
              if (chosen) void importAll(chosen);
            }}
          />
        </>
      }
    >
      {children}
    </PageFrame>
  );
}

function sayWhyNot(): void {
  toast({ text: "A history can only be imported into an empty account, so that nothing is overwritten." });
}

function RoomLink({ href, name, isHere }: { href: string; name: string; isHere: boolean }) {
  return (
    <a href={href} class={classNames("values-room", isHere && "values-room-here")} aria-current={isHere ? "page" : undefined}>
      {name}
    </a>
  );
}
