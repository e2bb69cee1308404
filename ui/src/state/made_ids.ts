// Ids of things that were made in this tab. Such a thing has an id from the moment it is typed, and the server gives it one of its
// own later. On the page it keeps its first for as long as the tab is open, so that its row stays the same row, with the focus
// and what is being dragged; what is sent names it as the server does.

export class MadeIds {
  private readonly given = new Map<string, string>();
  private readonly made = new Map<string, string>();

  /** The server's answer to what was made. */
  note(made: string, given: string): void {
    this.given.set(made, given);
    this.made.set(given, made);
  }

  /** What the page calls it: for whatever comes from the server, and for addresses. */
  shown(id: string): string {
    return this.made.get(id) ?? id;
  }

  /** What the server calls it: for whatever is sent. */
  sent(id: string): string {
    return this.given.get(id) ?? id;
  }
}
