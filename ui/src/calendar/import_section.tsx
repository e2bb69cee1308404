import { useRef, useState } from "preact/hooks";
import { problemOf, type ApiProblem } from "../api";
import { Button, classNames, Notice, Section } from "../parts";
import { toast } from "../shell";
import { sendCalendar } from "./calendar_file";
import { ImportReportView } from "./import_report";
import { joinReports, type ImportReport } from "./import_words";

/** Refusals that come again with the same file. */
const kFaultsOfFiles = new Set([400, 413, 415, 422]);

/** Takes over a file of another program: chosen, or dropped. */
export function ImportSection() {
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File | null>(null);
  const [busy, setBusy] = useState(false);
  const [isOver, setIsOver] = useState(false);
  const [report, setReport] = useState<ImportReport | null>(null);
  const [problem, setProblem] = useState<ApiProblem | null>(null);

  async function take(chosen: File, before: ImportReport | null) {
    setFile(chosen);
    setReport(before);
    setProblem(null);
    setBusy(true);
    try {
      setReport(joinReports(before, await sendCalendar(chosen)));
    } catch (thrown) {
      setProblem(problemOf(thrown));
    } finally {
      setBusy(false);
    }
  }

  function begin(files: FileList | null | undefined) {
    const chosen = files?.[0];
    if (!files || !chosen || busy) return;
    if (files.length > 1) toast({ text: `Only “${chosen.name}” is imported. Import the others one at a time.` });
    void take(chosen, null);
  }

  const again =
    file && problem && !kFaultsOfFiles.has(problem.status) ? { action: { label: "Try again", run: () => void take(file, report) } } : {};
  return (
    <Section title="Import" intro="Adds events, series and tasks. Items imported before are updated; nothing is deleted.">
      <div class="stack">
        <div
          class={classNames("drop-file", isOver && "drop-file-over")}
          onDragOver={(event) => {
            event.preventDefault();
            setIsOver(true);
          }}
          onDragLeave={() => setIsOver(false)}
          onDrop={(event) => {
            event.preventDefault();
            setIsOver(false);
            begin(event.dataTransfer?.files);
          }}
        >
          <Button busy={busy} onClick={() => input.current?.click()}>
            Choose a file
          </Button>
          <span class="small soft" role="status">
            {busy ? `Importing “${file?.name}”…` : "Or drop an .ics file of up to 5 MB here."}
          </span>
          <input
            ref={input}
            type="file"
            hidden
            aria-label="Calendar file"
            accept=".ics,.ical,.ifb,.icalendar,text/calendar"
            onChange={(event) => {
              begin(event.currentTarget.files);
              event.currentTarget.value = ""; // the same one again is a choice, too
            }}
          />
        </div>
        {problem && (
          <Notice tone="danger" title={`“${file?.name}” was not imported.`} {...again}>
            {problem.code === "not-a-calendar"
              ? "This is not a calendar file. Choose a file exported from a calendar app."
              : problem.message}
          </Notice>
        )}
        {file && report && <ImportReportView name={file.name} report={report} onGoOn={() => void take(file, report)} />}
      </div>
    </Section>
  );
}
