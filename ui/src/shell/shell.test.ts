import { describe, expect, it } from "vitest";
import { matchPage, type PageEntry } from "./pages";
import { rankCommands } from "./rank_commands";
import { ownAddress } from "./router";

const page = (path: string): PageEntry => ({
  path,
  name: path,
  icon: "plus",
  place: "main",
  audience: "signedIn",
  load: () => Promise.reject(new Error("not loaded here")),
});

describe("matchPage", () => {
  const pages = [page("/today"), page("/values"), page("/values/history")];
  const matched = (path: string) => {
    const match = matchPage(pages, path);
    return match && [match.entry.path, ...match.rest];
  };

  it("takes the longest path by whole segments", () => {
    expect(matched("/today/2026-11-16")).toEqual(["/today", "2026-11-16"]);
    expect(matched("/values/history/a%20b/")).toEqual(["/values/history", "a b"]);
    expect(matched("/valuesx")).toBeNull();
    expect(matched("/")).toBeNull();
    expect(matched("/today/%zz")).toEqual(["/today", "%zz"]);
  });
});

it("follows own addresses only", () => {
  expect(ownAddress("/values?x=1")).toBe("/values?x=1");
  for (const foreign of ["//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)", "", null]) {
    expect(ownAddress(foreign)).toBeNull();
  }
});

it("ranks commands by where the text is", () => {
  const commands = ["Sign out", "Values", "Show values", "Revalue", "Archive"].map((label) => ({ label }));
  expect(rankCommands(commands, "val").map(({ label }) => label)).toEqual(["Values", "Show values", "Revalue"]);
  expect(rankCommands(commands, "aci").map(({ label }) => label)).toEqual(["Archive"]);
  expect(rankCommands(commands, " ")).toHaveLength(5);
  expect(rankCommands(commands, "zzz")).toEqual([]);
});
