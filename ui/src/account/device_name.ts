const kBrowsers: [RegExp, string][] = [
  [/Edg\//, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox\//, "Firefox"],
  [/Chrom(e|ium)\//, "Chrome"],
  [/Safari\//, "Safari"],
];

const kSystems: [RegExp, string][] = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "Mac"],
  [/Linux/, "Linux"],
];

/** What people call the thing they signed in with: "Firefox on Linux". */
export function deviceName({ userAgent = "", kind }: { userAgent?: string; kind: "browser" | "program" }): string {
  const find = (table: [RegExp, string][]) => table.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = find(kBrowsers);
  const system = find(kSystems);
  if (browser) return system ? `${browser} on ${system}` : browser;
  const program = userAgent.split(/[\s/]/)[0];
  if (program) return program;
  return kind === "browser" ? "A browser" : "A program";
}
