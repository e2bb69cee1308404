import { describe, expect, it } from "vitest";
import { plainItem, shortText } from "./attribute_value";
import { getItemCommand, partitionKeyName, queryCommand } from "./aws_command";
import { changesBetween, changesText } from "./item_changes";
import { keyParts } from "./key_parts";
import { addressOf, placeOf, planDayOf } from "./place";

describe("plain values", () => {
  it("reads every type of DynamoDB's JSON", () => {
    const item = {
      s: { S: "Run" },
      n: { N: "12.5" },
      long: { N: "12345678901234567890.5" },
      yes: { BOOL: true },
      none: { NULL: true },
      list: { L: [{ N: "1" }, { M: { deep: { S: "x" } } }] },
      set: { NS: ["1", "2"] },
      bytes: { B: "AAE=" },
    };
    expect(plainItem(item)).toEqual({
      s: "Run",
      n: 12.5,
      long: "12345678901234567890.5",
      yes: true,
      none: null,
      list: [1, { deep: "x" }],
      set: [1, 2],
      bytes: "AAE=",
    });
    expect(shortText({ L: [{ S: "a" }] })).toBe('["a"]');
    expect(shortText({ S: "Run" })).toBe("Run");
  });
});

describe("key parts", () => {
  it("tells values from fixed pieces", () => {
    expect(keyParts("EDGE#{parent}#{order:06d}#{child}", "EDGE#books#000001#book#1")).toEqual([
      { text: "EDGE#" },
      { text: "books", name: "parent" },
      { text: "#" },
      { text: "000001", name: "order" },
      { text: "#" },
      { text: "book#1", name: "child" },
    ]);
    expect(keyParts("HEAD#VALUES", "HEAD#VALUES")).toEqual([{ text: "HEAD#VALUES" }]);
    expect(keyParts("U.{userId}", "U#1")).toBeNull();
  });
});

describe("commands", () => {
  it("quotes what a shell would read otherwise", () => {
    const text = queryCommand("http://127.0.0.1:8000", "App", "PK", "U#o'neill");
    expect(text).toContain(`--expression-attribute-values '{":pk":{"S":"U#o'\\''neill"}}'`);
    expect(text.startsWith("aws dynamodb query --endpoint-url http://127.0.0.1:8000 --region us-east-1 \\\n  --table-name 'App'")).toBe(
      true,
    );
    expect(getItemCommand("http://h", "App", { PK: { S: "a" } })).toContain(`--key '{"PK":{"S":"a"}}'`);
  });

  it("finds the name of the partition key", () => {
    expect(partitionKeyName({ SK: { S: "HEAD" }, owner: { S: "U#1" } }, "U#1")).toBe("owner");
    expect(partitionKeyName(undefined, "U#1")).toBe("PK");
  });
});

describe("changes", () => {
  const item = (key: string, title: string) => ({ keys: { SK: { S: key } }, attributes: { title: { S: title } } });

  it("says what is new, changed and gone", () => {
    const before = [item("a", "1"), item("b", "1"), item("c", "1")];
    const changes = changesBetween(before, [item("a", "1"), item("b", "2"), item("d", "1")], true);
    expect([changes.added.size, changes.changed.size, changes.removed]).toEqual([1, 1, 1]);
    expect(changesText(changes)).toBe("Latest change: 1 item new, 1 item changed, 1 item gone.");
  });

  it("says nothing of what it has not read", () => {
    const changes = changesBetween([item("a", "1"), item("b", "1")], [item("a", "1")], false);
    expect(changesText(changes)).toBe("");
  });
});

it("keeps partitions in addresses", () => {
  const place = { table: "App", partition: "U#1#PLAN#2026-11-16#R" };
  expect(placeOf(new URLSearchParams(addressOf(place).split("?")[1]))).toEqual(place);
  expect(placeOf(new URLSearchParams("table=App"))).toBeNull();
  expect(planDayOf(place)).toBe("2026-11-16");
  expect(planDayOf({ table: "App", partition: "U#1" })).toBeNull();
});
