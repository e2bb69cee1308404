// A key and the template of the model that it was made with: which piece is the value of which name.

export interface KeyPart {
  text: string;
  /** Of the attribute; none: the piece is fixed. */
  name?: string;
}

/** "U#{userId}" and "U#42" give "U#" and userId "42". Null: the key is not of this form. */
export function keyParts(template: string, key: string): KeyPart[] | null {
  const pieces = template.split(/(\{[^}]*\})/).filter((piece) => piece !== "");
  const pattern = pieces.map((piece) => (isName(piece) ? "(.*?)" : `(${escape(piece)})`)).join("");
  const found = new RegExp(`^${pattern}$`, "s").exec(key);
  if (!found) return null;
  return pieces.map((piece, index) => {
    const text = found[index + 1] ?? "";
    return isName(piece) ? { text, name: nameOf(piece) } : { text };
  });
}

function isName(piece: string): boolean {
  return piece.startsWith("{");
}

/** "{order:06d}" is the attribute order, written with six digits. */
function nameOf(piece: string): string {
  return piece.slice(1, -1).split(/[:|]/)[0] ?? "";
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
