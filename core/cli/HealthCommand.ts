/** `signalbox health`: shows the health of a running suite, queried over HTTP. Exit status 0 ok, 1 degraded, 2 down. */
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { Ended } from "./Ending.ts"
import { lazily, members } from "./Fleet.ts"
import { json, print } from "./Output.ts"

export const health = Command.make(
  "health",
  {
    url: Flag.String("url").pipe(
      Flag.withDescription(
        "Base address of a gateway or a daemon; default: the gateway on this machine, else the daemons' ports on it"
      ),
      Flag.optional
    ),
    json
  },
  Effect.fnUntraced(function* (flags) {
    const seen = yield* lazily(
      () => import("./HealthProbe.ts"),
      ({ probe, probeHere }) => (Option.isSome(flags.url) ? probe(flags.url.value) : Effect.flatMap(members, probeHere))
    )
    const { exitOf, lines } = yield* Effect.promise(() => import("./HealthProbe.ts"))
    yield* print(flags.json, seen, lines)
    if (exitOf(seen) !== 0) return yield* new Ended({ code: exitOf(seen) })
  })
).pipe(
  Command.withDescription("Shows the health of the daemons. Exit status: 0 ok, 1 degraded, 2 down or unreachable."),
  Command.withShortDescription("Show the health of the daemons")
)
