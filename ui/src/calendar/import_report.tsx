import { Notice } from "../parts";
import { placeWords, reasonWords, reportWords, unlisted, type ImportReport } from "./import_words";

interface ImportReportProps {
  name: string;
  report: ImportReport;
  onGoOn: () => void;
}

export function ImportReportView({ name, report, onGoOn }: ImportReportProps) {
  const { remaining, notUnderstood } = report;
  const more = unlisted(report);
  return (
    <div class="stack">
      {remaining > 0 ? (
        <Notice tone="warning" title={`“${name}” was partly imported.`} action={{ label: "Continue", run: onGoOn }}>
          {reportWords(report)} There was no time for the other {remaining}.
        </Notice>
      ) : (
        <Notice tone="success" title={`“${name}” was imported.`}>
          {reportWords(report)}
        </Notice>
      )}
      {notUnderstood.length > 0 && (
        <section class="import-notes" aria-label="Not recognized" tabIndex={0}>
          <h3>Not recognized</h3>
          <ul role="list">
            {notUnderstood.map((note, index) => (
              <li key={index}>
                <span class="small faint">{placeWords(note)}</span>
                <span>{reasonWords(note)}</span>
              </li>
            ))}
          </ul>
          {more > 0 && <p class="small soft">And {more} more, which are not listed.</p>}
        </section>
      )}
    </div>
  );
}
