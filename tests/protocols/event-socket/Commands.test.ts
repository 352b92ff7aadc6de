import * as Commands from "#protocols/event-socket/Commands.ts"
import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import fc from "fast-check"

const job = "0b5b1a0c-8f5e-4a63-9a5c-5ad5c9d7c3f1"

describe("Commands", () => {
  it("are one line and an empty one", () => {
    expect(Commands.auth("ClueCon test")).toEqual(Result.succeed("auth ClueCon test\n\n"))
    expect(Commands.api("status")).toEqual(Result.succeed("api status\n\n"))
    expect(Commands.eventJson(["CHANNEL_ANSWER", "BACKGROUND_JOB"])).toEqual(
      Result.succeed("event json CHANNEL_ANSWER BACKGROUND_JOB\n\n")
    )
    expect(Commands.bgapi("originate a b", job)).toEqual(Result.succeed(`bgapi originate a b\nJob-UUID: ${job}\n\n`))
  })

  it("never hold a line break, whatever the caller gives", () => {
    const any = fc.string({ unit: fc.constantFrom("a", "ü", " ", "'", "\u2028", "\u0085", "\n", "\r", "\0") })
    fc.assert(
      fc.property(any, fc.constantFrom("\n", "\r", "\0", ""), any, (before, middle, after) => {
        for (const [command, lines] of [
          [Commands.api(before + middle + after), 2],
          [Commands.auth(before + middle + after), 2],
          [Commands.bgapi(before + middle + after, job), 3]
        ] as const) {
          if (Result.isSuccess(command)) expect(command.success.split(/[\r\n\0]/)).toHaveLength(lines + 1)
          if (middle !== "") expect(Result.isFailure(command)).toBe(true)
        }
      })
    )
  })

  it("are refused without quoting what was in them", () => {
    for (const command of [
      Commands.auth("s3cret\nexit"),
      Commands.api("s3cret\rexit"),
      Commands.bgapi("status", "s3cret"),
      Commands.eventJson(["s3cret"])
    ]) {
      expect(Result.isFailure(command) && !command.failure.includes("s3cret")).toBe(true)
    }
  })

  it("are refused when empty, too long, or without events", () => {
    for (const command of [
      Commands.auth(""),
      Commands.api(" "),
      Commands.bgapi("", job),
      Commands.eventJson([]),
      Commands.api("x".repeat(Commands.maxCommandBytes))
    ]) {
      expect(Result.isFailure(command)).toBe(true)
    }
  })

  it("are named in an error without their arguments", () => {
    expect(Commands.titleOf("bgapi", "originate {x=1}sofia/gateway/trunk/+49301234 &park()")).toBe("bgapi originate")
  })
})
