/** The question before a command deletes something that does not come back. */
import { Effect } from "effect"
import { Flag } from "effect/cli"
import { createInterface } from "node:readline/promises"
import { exitUsage, fail } from "./Ending.ts"

/** The flag `--yes` of commands that delete. */
export const yes = Flag.Boolean("yes").pipe(
  Flag.withDescription("Do not ask first; needed where nobody can answer"),
  Flag.withDefault(false)
)

/**
 * Asks a person at the terminal. `loses`: what will be lost, a sentence. Without a terminal `--yes` is needed. Run it
 * outside of transactions.
 */
export const sure = (loses: string, isSure: boolean) =>
  isSure
    ? Effect.void
    : Effect.gen(function* () {
        if (!process.stdin.isTTY || !process.stderr.isTTY)
          return yield* fail(`${loses} Nothing is changed: add --yes to go on.`, exitUsage)
        const answer = yield* Effect.promise(async () => {
          // On standard error, so that `--json` prints nothing else on standard output.
          const terminal = createInterface({ input: process.stdin, output: process.stderr })
          try {
            return await terminal.question(`${loses} Go on? [y/N] `)
          } finally {
            terminal.close()
          }
        })
        if (!/^y(?:es)?$/i.test(answer.trim())) return yield* fail("Nothing is changed.")
      })
