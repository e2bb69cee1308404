// A file of another program on its way to the calendar.

import { api, ApiProblem } from "../api";
import { tooLargeWords, type ImportReport } from "./import_words";

/** Throws ApiProblem, also for what need not be sent to know that it is refused. */
export async function sendCalendar(file: File): Promise<ImportReport> {
  const tooLarge = tooLargeWords(file.size);
  if (tooLarge !== undefined) throw new ApiProblem({ status: 413, code: "too-large", message: tooLarge });
  const bytes = await file.arrayBuffer().catch(() => {
    throw new ApiProblem({ status: 400, code: "unreadable", message: "The file cannot be read. Choose it again." });
  });
  return api.post("/api/nexus/import", { body: new Blob([bytes], { type: "text/calendar" }) });
}
