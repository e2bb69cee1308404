import js from "@eslint/js";
import hooks from "eslint-plugin-react-hooks";
import { fileURLToPath, URL } from "node:url";
import tseslint from "typescript-eslint";

// Which rooms of src/ each room may not use. Pages may use all rooms, but no other page.
const pages = ["sign_in", "account", "data", "values", "today", "review", "calendar", "board", "notes"];
const closed = {
  parts: ["api", "state", "shell", ...pages],
  api: ["parts", "state", "shell", ...pages],
  state: ["parts", "shell", ...pages],
  shell: pages,
  ...Object.fromEntries(pages.map((page) => [page, pages.filter((other) => other !== page)])),
};

function mayNotUse(room, others) {
  const patterns = others.map((other) => ({
    group: [`../${other}/*`, `../../${other}/*`],
    message: `${room}/ knows nothing of ${other}/: see "Rooms" in README.md.`,
  }));
  return {
    files: [`src/${room}/**/*.{ts,tsx}`],
    rules: { "@typescript-eslint/no-restricted-imports": ["error", { patterns }] },
  };
}

export default tseslint.config(
  { ignores: ["dist/", "node_modules/", "src/api/schema.d.ts"] },
  js.configs.recommended,
  {
    files: ["**/*.{ts,tsx}"],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: fileURLToPath(new URL(".", import.meta.url)) } },
    plugins: { "react-hooks": hooks },
    rules: {
      "react-hooks/rules-of-hooks": "error",
      "react-hooks/exhaustive-deps": "error",
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }],
      "@typescript-eslint/only-throw-error": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "no-console": "error",
      eqeqeq: "error",
    },
  },
  {
    files: ["public/*.js"],
    languageOptions: { sourceType: "script", globals: { document: "readonly", localStorage: "readonly" } },
    rules: { "no-unused-vars": ["error", { caughtErrors: "none" }] },
  },
  ...Object.entries(closed).map(([room, others]) => mayNotUse(room, others)),
);
