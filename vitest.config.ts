import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^windtunnel$/, replacement: source("packages/windtunnel/src/index.ts") },
      { find: /^windtunnel\/(stats|testing)$/, replacement: source("packages/windtunnel/src/$1/index.ts") },
      { find: /^@windtunnel\/revenue-cycle$/, replacement: source("packs/revenue-cycle/src/index.ts") },
      { find: /^@windtunnel\/revenue-cycle\/codec$/, replacement: source("packs/revenue-cycle/src/codec/index.ts") },
    ],
  },
  test: { include: ["packages/*/{src,test}/**/*.test.ts", "packs/*/{src,test}/**/*.test.ts"], testTimeout: 60_000 },
});
