import { limit } from "#core/cli/Limit.ts"
import { NodeServices } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { Command } from "effect/cli"
import { TestConsole } from "effect/testing"
import { expect, it } from "vitest"

/** Value of the flag in a command line, or the error that the command line prints. */
const parsed = (...args: ReadonlyArray<string>) =>
  Effect.runPromise(
    Effect.gen(function* () {
      let value: number | undefined
      const list = Command.make("list", { limit }, (flags) => Effect.sync(() => void (value = flags.limit)))
      yield* Effect.ignore(Command.runWith(list, { version: "0" })(args))
      return value ?? (yield* TestConsole.errorLines).join("\n")
    }).pipe(Effect.provide(Layer.merge(NodeServices.layer, TestConsole.layer)))
  )

it("is 50 when --limit is absent", async () => {
  expect(await parsed()).toBe(50)
})

it("accepts 1 to 1000 and refuses other values", async () => {
  expect(await parsed("--limit", "1")).toBe(1)
  expect(await parsed("--limit", "1000")).toBe(1000)
  for (const wrong of ["0", "1001", "-1"]) {
    expect(await parsed("--limit", wrong)).toContain(`"${wrong}". Expected: a number from 1 to 1000`)
  }
})
