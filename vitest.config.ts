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
    // Real servers on a loaded machine now and then make a test wait longer than it is willing to. In CI such a one is tried once more and named
    // at the end; what is broken fails twice.
    retry: process.env["CI"] === "true" ? 1 : 0,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000
  }
})
