import { Ended, fail, verdict } from "#core/cli/Ending.ts"
import { ConfigInvalid } from "#core/config/Environment.ts"
import { SchemaTooNew } from "#core/sql/Migrations.ts"
import { failure } from "#core/postgres/EmbeddedPostgresError.ts"
import { SuiteBroken } from "#core/daemon/KeepDaemon.ts"
import { Cause } from "effect"
import { CliError } from "effect/cli"
import { describe, expect, it } from "vitest"

const code = (error: unknown) => verdict(Cause.fail(error)).code

describe("the verdict on a failure", () => {
  it("is 78 with each problem on its own line for a wrong configuration", () => {
    const seen = verdict(
      Cause.fail(
        new ConfigInvalid({
          problems: [
            { name: "A", message: "is required" },
            { name: "B", message: "must be true or false" }
          ]
        })
      )
    )
    expect(seen.code).toBe(78)
    expect(seen.lines).toContain("  A is required")
    expect(seen.lines).toContain("  B must be true or false")
  })

  it.each([
    ["an outdated program", new SchemaTooNew({ message: "older" }), 78],
    ["binaries that are missing", failure("BinariesMissing", "none", "install"), 78],
    ["a server that did not start", failure("StartFailed", "ended", "see"), 1],
    ["a daemon that keeps breaking", new SuiteBroken({ daemon: "x", reason: "y" }), 1],
    ["a command's own status", new Ended({ code: 2 }), 2],
    ["a command's sentence", fail("no", 64), 64],
    ["help that was asked for", new CliError.ShowHelp({ commandPath: ["signalbox"], errors: [] }), 0],
    [
      "a wrong command line",
      new CliError.ShowHelp({ commandPath: ["signalbox"], errors: [new CliError.MissingArgument({ argument: "id" })] }),
      64
    ]
  ])("of %s", (_, error, expected) => expect(code(error)).toBe(expected))

  it("is one line without a stack for a failure, and the whole defect for a defect", () => {
    expect(verdict(Cause.fail(fail("no such thing"))).lines).toEqual(["signalbox: no such thing"])
    const defect = verdict(Cause.die(new Error("boom")))
    expect(defect.code).toBe(70)
    expect(defect.lines.join("\n")).toMatch(/boom[\s\S]*Ending\.test\.ts/)
  })

  it("is the shell's exit code for an interrupted command", () => {
    expect(verdict(Cause.interrupt())).toEqual({ code: 130, lines: [] })
  })
})
