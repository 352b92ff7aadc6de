/** Commands in the test process have the same output and exit status as in the built program. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { beforeAll, expect } from "vitest"
import { commandLine } from "#support/CommandLine.ts"
import { ensureBuilt, environmentOf } from "#support/Executable.ts"
import { freshDatabase, temporaryDirectory } from "#support/Postgres.ts"

beforeAll(ensureBuilt, 60_000)

it.live(
  "a second run in the test process has the output and exit status of the first",
  () =>
    Effect.gen(function* () {
      const env = { ...environmentOf(yield* temporaryDirectory()), DATABASE_URL: (yield* freshDatabase).url }
      const run = commandLine()
      for (const args of [
        ["sip", "extension", "list"],
        ["mail-domain", "list", "--json"],
        ["user", "show", "nobody@example.org"],
        ["settings", "set", "SIGNALBOX_WEBHOOK_ALLOW_CIDRS", "10.0.0.0/99"],
        ["nothing", "list"]
      ]) {
        const [built, here] = [yield* Effect.promise(() => run(args, env)), yield* Effect.promise(() => run(args, env))]
        expect(here, args.join(" ")).toEqual(built)
      }
    }).pipe(Effect.scoped),
  120_000
)
