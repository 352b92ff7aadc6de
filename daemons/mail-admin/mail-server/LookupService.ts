/**
 * Look-ups of Postfix in the views, by its table type `socketmap`. Postfix's own Postgres client does not ask a server
 * that failed once for a minute, in each process and for each table; a socketmap has no such pause.
 */
import { Effect, Layer } from "effect"
import { settings } from "#core/config/Environment.ts"
import * as PortActor from "#core/daemon/PortActor.ts"
import { serve } from "#protocols/postfix-socketmap/SocketmapServer.ts"
import * as Lookups from "./Lookups.ts"
import { lookupSettings } from "./LookupSettings.ts"

/** Registers the service and its health component `mail_lookups`. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { lookupHost: host, lookupPort: port } = yield* settings(lookupSettings)
    const handler = yield* Lookups.make
    yield* PortActor.register({
      name: "mail look-ups",
      component: "mail_lookups",
      host,
      port,
      serve: serve({ host, port, handler }),
      isTaken: (error) => error.why === "EADDRINUSE"
    })
  })
)
