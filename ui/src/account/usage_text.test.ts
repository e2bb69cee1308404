import { describe, expect, it } from "vitest";
import { bytesText, productName } from "./usage_text";

describe("bytesText", () => {
  it("takes the unit that makes a short number", () => {
    expect(bytesText(0)).toBe("0 bytes");
    expect(bytesText(812)).toBe("812 bytes");
    expect(bytesText(1536)).toBe("1.5 KB");
    expect(bytesText(512 * 1024 * 1024)).toBe("512 MB");
    expect(bytesText(123.4 * 1024 * 1024)).toBe("123 MB");
    expect(bytesText(3 * 1024 ** 4)).toBe("3 TB");
  });

  it("never shows less than nothing", () => {
    expect(bytesText(-5)).toBe("0 bytes");
  });
});

describe("productName", () => {
  it("names the pages, not the tables", () => {
    expect(productName("nexus")).toBe("Calendar, tasks and notes");
    expect(productName("other")).toBe("other");
  });
});
