import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["tests/**/*.test.ts"],
    exclude: ["tests/bench/**", "node_modules/**"],
    globalSetup: ["tests/support/globalSetup.ts"],
    setupFiles: ["tests/support/setup.ts"],
    // Processes, not threads: parts under test change signals, working directory and environment.
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000
  }
})
