// The whole history as a file, out and in.

import { api, ApiProblem, problemOf } from "../api";

/** The whole export; one that the server cuts off is an error, never a shorter file. */
export async function readExport(): Promise<Blob> {
  const unreachable = (): never => {
    throw new ApiProblem({ status: 0, code: "offline", message: "Cairn cannot be reached. Check the connection." });
  };
  const response = await fetch("/api/values/export", { credentials: "same-origin" }).catch(unreachable);
  if (!response.ok) throw problemOf(new ApiProblem({ status: response.status, code: "internal", message: "Try again." }));
  const lines = await response.text().catch(unreachable);
  return new Blob([lines], { type: "application/x-ndjson" });
}

export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

export async function importFile(file: File): Promise<number> {
  const answer = await api.post("/api/values/import", { body: await file.text() });
  return answer.revisions;
}
