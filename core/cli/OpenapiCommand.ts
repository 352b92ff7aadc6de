/** `signalbox openapi`: prints the documents that daemons serve at `/openapi.json`, without starting the daemons. */
import { Console, Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { top } from "../http/Api.ts"
import { all, named } from "./Fleet.ts"

export const openapi = Command.make(
  "openapi",
  {
    daemon: Argument.String("daemon").pipe(
      Argument.withDescription("Name of one daemon; default: all daemons in one document, as the gateway serves it"),
      Argument.optional
    )
  },
  Effect.fnUntraced(function* (flags) {
    const daemons = yield* Option.match(flags.daemon, { onNone: () => all, onSome: (name) => named([name]) })
    const { OpenApi } = yield* Effect.promise(() => import("effect/http-api"))
    const { merge } = yield* Effect.promise(() => import("../gateway/MergedApi.ts"))
    const api = Option.isSome(flags.daemon) ? daemons[0]!.api : merge(daemons.filter((daemon) => !daemon.ownPort))
    yield* Console.log(JSON.stringify(OpenApi.fromApi(top(api)), null, 2))
  })
).pipe(Command.withDescription("Prints an OpenAPI document as JSON."))
