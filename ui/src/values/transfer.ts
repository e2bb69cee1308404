// The whole history as a file, out and in.

import { api, ApiProblem, problemOf } from "../api";

/** All pages of the export; each one names the next in its Link header. */
export async function readExport(): Promise<Blob> {
  const parts: string[] = [];
  for (let next: string | undefined = "/api/values/export"; next !== undefined; ) {
    const response: Response = await fetch(next, { credentials: "same-origin" }).catch(() => {
      throw new ApiProblem({ status: 0, code: "offline", message: "Cairn cannot be reached. Check the connection." });
    });
    if (!response.ok) throw problemOf(new ApiProblem({ status: response.status, code: "internal", message: "Try again." }));
    parts.push(await response.text());
    next = nextPage(response.headers.get("link"));
  }
  return new Blob(parts, { type: "application/x-ndjson" });
}

export function nextPage(link: string | null): string | undefined {
  return link?.match(/<([^>]+)>;\s*rel="next"/)?.[1];
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
