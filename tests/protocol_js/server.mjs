// Starts cairn for a test file, or takes the endpoint in CAIRN_URL.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const defaultBinary = fileURLToPath(new URL("../../build/release/cairn", import.meta.url));

export async function startServer() {
  if (process.env.CAIRN_URL) return { url: process.env.CAIRN_URL, stop: async () => {} };
  const data = mkdtempSync(join(tmpdir(), "cairn-test-"));
  const child = spawn(process.env.CAIRN_BINARY ?? defaultBinary, ["serve", "--port", "0", "--data", join(data, "data")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  const url = await new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (piece) => {
      text += piece;
      const ready = /cairn listening on (http:\/\/\S+)/.exec(text);
      if (ready) resolve(ready[1]);
    });
    child.once("error", reject);
    exited.then((code) => reject(new Error(`cairn ended with ${code}: ${text}`)));
  });
  return {
    url,
    async stop() {
      child.kill("SIGTERM");
      const code = await exited;
      rmSync(data, { recursive: true, force: true });
      if (code !== 0) throw new Error(`cairn ended with ${code} after SIGTERM`);
    },
  };
}

export const settings = (url) => ({
  endpoint: url,
  region: "us-east-1",
  credentials: { accessKeyId: "AKIACAIRNTESTKEY0001", secretAccessKey: "cairn-test-secret" },
  maxAttempts: 1,
});
