import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { isProfiled } from "./tests/support/profile/Events.ts"
import { slowEarly } from "./tests/support/SlowEarly.ts"
import { readSourceTree } from "./tests/support/SourceTree.ts"
import { temporaryParent } from "./tests/support/TemporaryParent.ts"
import { divideTests, type TestProject } from "./tests/support/TestProjects.ts"

// Worker processes compile the same libraries again and again. With Node's cache of compiled code, files that mostly
// import take a fifth less processor time.
process.env["NODE_COMPILE_CACHE"] ??= join(tmpdir(), "signalbox-test-compile-cache")
process.env["TMPDIR"] = temporaryParent()

const tests = divideTests(readSourceTree(import.meta.dirname))

/** The profile's setup comes first, so that it measures the other ones. */
const setupFiles = [...(isProfiled ? ["tests/support/profile/setup.ts"] : []), "tests/support/setup.ts"]

const project = (name: TestProject, test: TestProjectInlineConfiguration["test"]): TestProjectInlineConfiguration => ({
  extends: true,
  // Parentheses and brackets in a path would be a pattern.
  test: { name, include: tests[name].map((path) => path.replace(/[()[\]{}!*?]/gu, "\\$&")), setupFiles, ...test }
})

/**
 * Files share worker processes, which import and compile each module once. leakSetup.ts fails a file that leaves
 * something behind for the next one.
 */
const shared = { isolate: false, setupFiles: [...setupFiles, "tests/support/leakSetup.ts"] }

/** Vitest's own order, in which the slow files of each project begin early. */
class SlowEarly extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const pathOf = ({ moduleId }: TestSpecification) => relative(import.meta.dirname, moduleId)
    return [...slowEarly(await super.sort(files), pathOf, ({ project }) => project.name)]
  }
}

const globalSetup = ["tests/support/globalSetup.ts"]

export default defineConfig({
  test: {
    projects: [
      project("unit", { ...shared, sequence: { groupOrder: 0 } }),
      // More workers than cores, because two thirds of the time of these tests is waiting for a state of servers.
      project("parts", { ...shared, globalSetup, maxWorkers: 5, sequence: { groupOrder: 1 } }),
      project("alone", { globalSetup, maxWorkers: 5, sequence: { groupOrder: 1 } }),
      // Browsers and whole suites start several processes each; more files at once only wait for each other.
      project("whole", { ...shared, globalSetup, maxWorkers: 4, sequence: { groupOrder: 2 } }),
      project("timed", { ...shared, globalSetup, maxWorkers: 3, sequence: { groupOrder: 3 } }),
      project("storm", { ...shared, globalSetup, maxWorkers: 1, sequence: { groupOrder: 4 } })
    ],
    // Processes, not threads: parts under test change signals, working directory and environment.
    pool: "forks",
    // The cores of a small machine.
    maxWorkers: 2,
    sequence: { sequencer: SlowEarly },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    teardownTimeout: 20_000,
    // Vitest's own limit is 1 s, which a page on busy cores exceeds. A failure still comes before that of its test.
    expect: { poll: { timeout: 15_000 } }
  }
})
