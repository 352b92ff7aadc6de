import { tmpdir } from "node:os"
import { join } from "node:path"
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config"
import { isProfiled } from "./tests/support/profile/Events.ts"
import { readSourceTree } from "./tests/support/SourceTree.ts"
import { divideTests, type TestProject } from "./tests/support/TestProjects.ts"

// Worker processes compile the same libraries again and again. With Node's cache of compiled code, files that mostly
// import take a fifth less processor time.
process.env["NODE_COMPILE_CACHE"] ??= join(tmpdir(), "signalbox-test-compile-cache")

const tests = divideTests(readSourceTree(import.meta.dirname))

/** The profile's setup comes first, so that it measures the other ones. */
const setupFiles = [...(isProfiled ? ["tests/support/profile/setup.ts"] : []), "tests/support/setup.ts"]

const project = (name: TestProject, test: TestProjectInlineConfiguration["test"]): TestProjectInlineConfiguration => ({
  extends: true,
  // Parentheses and brackets in a path would be a pattern.
  test: { name, include: tests[name].map((path) => path.replace(/[()[\]{}!*?]/gu, "\\$&")), setupFiles, ...test }
})

const globalSetup = ["tests/support/globalSetup.ts"]

export default defineConfig({
  test: {
    projects: [
      // Files share worker processes: unitSetup.ts fails a file that leaves something behind.
      project("unit", { isolate: false, setupFiles: [...setupFiles, "tests/support/unitSetup.ts"] }),
      project("parts", { globalSetup }),
      project("whole", { globalSetup })
    ],
    // Processes, not threads: parts under test change signals, working directory and environment.
    pool: "forks",
    maxWorkers: 2,
    // A test of real servers can exceed its time limit on a loaded machine. CI tries a failed test once more and names
    // it at the end; broken code fails twice.
    retry: process.env["CI"] === "true" ? 1 : 0,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000
  }
})
