/** `signalbox up` and `signalbox run`. */
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { all, lazily, running } from "./Fleet.ts"
import { json } from "./Output.ts"

export const up = Command.make("up", { json }, (flags) =>
  Effect.gen(function* () {
    const daemons = yield* all
    const { gateway } = yield* Effect.promise(() => import("../gateway/make.ts"))
    yield* lazily(
      () => import("./Serve.ts"),
      ({ serve }) => serve({ daemons, fleet: daemons, gateway, json: flags.json })
    )
  })
).pipe(
  Command.withDescription(
    "Runs every daemon in this process behind one gateway, with an embedded Postgres unless DATABASE_URL is set. " +
      "Prints `ready` and the address; stops on Ctrl-C or SIGTERM."
  ),
  Command.withShortDescription("Run all daemons behind one gateway"),
  Command.withExamples([
    { command: "SIGNALBOX_DATA_DIR=/srv/signalbox signalbox up", description: "Keep the state in another directory" }
  ])
)

export const run = Command.make(
  "run",
  {
    names: Argument.String("name").pipe(
      Argument.withDescription("Names of daemons to run in one process"),
      Argument.atLeast(1)
    ),
    json
  },
  (flags) =>
    Effect.gen(function* () {
      const { daemons, fleet } = yield* running(flags.names)
      yield* lazily(
        () => import("./Serve.ts"),
        ({ serve }) => serve({ daemons, fleet, json: flags.json })
      )
    })
).pipe(
  Command.withDescription("Runs the named daemons in this process, each on its own port, without a gateway."),
  Command.withShortDescription("Run named daemons, each on its own port"),
  Command.withExamples([
    { command: "signalbox run alarm-bridge comm-dispatcher", description: "The alarm path in one process" }
  ])
)
