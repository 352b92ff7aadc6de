import { limit, limitOf } from "#core/cli/Limit.ts"
import { NodeServices } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { Command, type Flag } from "effect/cli"
import { TestConsole } from "effect/testing"
import { expect, it } from "vitest"

/** Value of the flag in a command line, or the error that the command line prints. */
const parsed = (flag: Flag.Flag<number>, ...args: ReadonlyArray<string>) =>
  Effect.runPromise(
    Effect.gen(function* () {
      let value: number | undefined
      const list = Command.make("list", { limit: flag }, (flags) => Effect.sync(() => void (value = flags.limit)))
      yield* Effect.ignore(Command.runWith(list, { version: "0" })(args))
      return value ?? (yield* TestConsole.errorLines).join("\n")
    }).pipe(Effect.provide(Layer.merge(NodeServices.layer, TestConsole.layer)))
  )

it("uses the default of the list when --limit is absent", async () => {
  expect(await parsed(limit)).toBe(50)
  expect(await parsed(limitOf(20))).toBe(20)
})

it("accepts 1 to 1000 and refuses other values", async () => {
  expect(await parsed(limit, "--limit", "1")).toBe(1)
  expect(await parsed(limitOf(20), "--limit", "1000")).toBe(1000)
  for (const wrong of ["0", "1001", "-1"]) {
    expect(await parsed(limit, "--limit", wrong)).toContain(`"${wrong}". Expected: a number from 1 to 1000`)
  }
})
