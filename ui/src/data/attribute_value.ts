// DynamoDB's JSON ({"S": "Run"}) and the plain values it stands for.

export type AttributeValue = Record<string, unknown>;
export type AttributeMap = Record<string, AttributeValue>;

export type Plain = string | number | boolean | null | Plain[] | { [name: string]: Plain };

export function plainItem(item: AttributeMap): { [name: string]: Plain } {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, plainValue(value)]));
}

export function plainValue(value: AttributeValue): Plain {
  const [type, inner] = Object.entries(value)[0] ?? ["NULL", true];
  switch (type) {
    case "N":
      return plainNumber(inner as string);
    case "NS":
      return (inner as string[]).map(plainNumber);
    case "NULL":
      return null;
    case "L":
      return (inner as AttributeValue[]).map(plainValue);
    case "M":
      return plainItem(inner as AttributeMap);
    default:
      return inner as Plain; // S, BOOL, SS; B and BS as base64
  }
}

/** Numbers of DynamoDB have 38 digits. Those that would lose some stay texts. */
function plainNumber(text: string): number | string {
  const number = Number(text);
  return String(number) === text ? number : text;
}

/** What a cell shows of a value. */
export function shortText(value: AttributeValue): string {
  const plain = plainValue(value);
  return typeof plain === "string" ? plain : JSON.stringify(plain);
}
