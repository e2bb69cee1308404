import { defineConfig } from "vitest/config";

// CAIRN_UI_OUT: where the build goes (an absolute folder), for whoever embeds the pages into the binary.
// CAIRN_URL: the server that `npm run dev` works with. Host stays as the browser sent it: the server compares it with
// Origin, so the development pages count as its own.
const server = process.env.CAIRN_URL ?? "http://127.0.0.1:8000";

export default defineConfig({
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  build: {
    outDir: process.env.CAIRN_UI_OUT ?? "dist",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // the content security policy knows no data: addresses
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
  },
  server: {
    host: "127.0.0.1",
    proxy: {
      "/api": server,
      "/openapi.json": server,
      "/ws": { target: server, ws: true },
    },
  },
  test: { include: ["src/**/*.test.ts"], environment: "node" },
});
