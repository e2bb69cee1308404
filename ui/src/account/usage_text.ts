// Amounts as people read them.

const kUnits = ["bytes", "KB", "MB", "GB", "TB"];

/** "812 bytes", "1.5 MB", "512 MB". */
export function bytesText(bytes: number): string {
  let value = Math.max(0, bytes);
  let unit = 0;
  while (value >= 1024 && unit < kUnits.length - 1) {
    value /= 1024;
    ++unit;
  }
  const shown = unit === 0 || value >= 100 || Number.isInteger(value) ? Math.round(value) : Math.round(value * 10) / 10;
  return `${String(shown)} ${kUnits[unit] ?? ""}`;
}

export function productName(product: string): string {
  if (product === "values") return "Values and plans";
  if (product === "nexus") return "Calendar, tasks and notes";
  return product;
}
