import { expect, it } from "vitest";
import { deviceName } from "./device_name";

it("names devices as people do", () => {
  const name = (userAgent: string) => deviceName({ userAgent, kind: "browser" });
  expect(name("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0")).toBe("Firefox on Linux");
  expect(name("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/126.0 Safari/537.36 Edg/126.0")).toBe("Edge on Windows");
  expect(name("Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Version/17.0 Safari/604.1")).toBe("Safari on iPhone");
  expect(name("curl/8.5.0")).toBe("curl");
  expect(deviceName({ kind: "program" })).toBe("A program");
});
