/**
 * Every operation of the API can be done in the console or with a command, or has a reason why not. The lists stand in
 * `callers/`.
 */
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { commands } from "#daemons/Commands.ts"
import { settingsCommands } from "#daemons/SettingsCommands.ts"
import { builtInCommands } from "#core/cli/Program.ts"
import { readSourceTree } from "#support/SourceTree.ts"
import { cliCalls, leavesOf, listedCommands } from "./callers/CliCalls.ts"
import { consoleCalls, filesWithOtherCalls, otherCalls } from "./callers/ConsoleCalls.ts"
import { exceptions } from "./callers/Exceptions.ts"
import { operationsOf, shape } from "./callers/Shape.ts"
import { endpoints } from "./Installation.ts"

const sources = readSourceTree(join(import.meta.dirname, "../.."))
const operations = new Set(endpoints.map(({ name }) => shape(name)))
const inConsole = consoleCalls(sources)
const excepted = Object.values(exceptions).flatMap(operationsOf)

const none = (found: Iterable<string>, what: string) => assert.strictEqual([...found].toSorted().join("\n"), "", what)

describe("every operation", () => {
  it("is called by the console or by a command, or has a reason", () => {
    const known = new Set(excepted)
    none(
      [...operations].filter((one) => !inConsole.has(one) && !cliCalls.has(one) && !known.has(one)),
      "nobody calls these: add a page, a command, or a line to callers/Exceptions.ts"
    )
  })

  it("has a reason only if it needs one", () => {
    none(
      excepted.filter((one) => !operations.has(one) || inConsole.has(one) || cliCalls.has(one)),
      "these are called, or do not exist: remove their lines from callers/Exceptions.ts"
    )
    assert.strictEqual(new Set(excepted).size, excepted.length)
  })
})

describe("the calls", () => {
  it("of the console are found", () => {
    assert.isAbove(inConsole.size, 200)
    none(
      [...inConsole].filter((one) => !operations.has(one)),
      "the console calls what does not exist"
    )
    none(
      filesWithOtherCalls(sources).filter((path) => otherCalls[path] === undefined),
      "these files have addresses: list their operations in callers/ConsoleCalls.ts"
    )
    const texts = new Map(sources.map(({ path, text }) => [path, text]))
    none(
      Object.keys(otherCalls).filter((path) => !texts.get(path)?.includes("/api/v1/")),
      "these files have no address any more"
    )
  })

  it("of every command are listed", () => {
    const existing = [...builtInCommands(settingsCommands), ...commands].flatMap((one) => leavesOf(one))
    none(
      existing.filter((one) => !listedCommands.includes(one)),
      "add these commands to callers/CliCalls.ts"
    )
    none(
      listedCommands.filter((one) => !existing.includes(one)),
      "these commands do not exist"
    )
    none(
      [...cliCalls].filter((one) => !operations.has(one)),
      "these operations do not exist"
    )
  })
})
