// Names of revisions.

import { api, type Schemas } from "../api";

export async function listTags(): Promise<Schemas["Tag"][]> {
  const tags: Schemas["Tag"][] = [];
  for (let cursor: string | undefined; ;) {
    const list = await api.get("/api/values/tags", { query: cursor === undefined ? {} : { cursor } });
    tags.push(...list.items);
    cursor = list.nextCursor;
    if (cursor === undefined) return tags;
  }
}

export async function putTag(name: string, revId: string): Promise<void> {
  await api.put("/api/values/tags/{name}", { path: { name }, body: { revId } });
}
