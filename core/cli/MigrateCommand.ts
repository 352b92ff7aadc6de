/** `signalbox migrate`: runs pending migrations of every schema, as a start would, and lists them. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { all, lazily } from "./Fleet.ts"
import { columns, json, print } from "./Output.ts"

export const migrate = Command.make("migrate", { json }, (flags) =>
  Effect.gen(function* () {
    const daemons = yield* all
    const ran = yield* lazily(
      () => import("./Migrate.ts"),
      ({ migrateAll }) => migrateAll(daemons.map((daemon) => daemon.migrations))
    )
    yield* print(flags.json, ran, () =>
      ran.length === 0
        ? ["Every schema is up to date."]
        : columns(ran.map((step) => [step.schema, String(step.id), step.name]))
    )
  })
).pipe(
  Command.withDescription("Runs the pending migrations of all daemons and prints them. Every start runs them too."),
  Command.withShortDescription("Migrate the database")
)
