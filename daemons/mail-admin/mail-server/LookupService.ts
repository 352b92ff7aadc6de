/**
 * Look-ups of Postfix in the views, by its table type `socketmap`. Postfix's own Postgres client does not ask a server
 * that failed once for a minute, in each process and for each table; a socketmap has no such pause.
 */
import { Effect, Layer } from "effect"
import { settings } from "#core/config/Environment.ts"
import * as PortActor from "#core/daemon/PortActor.ts"
import { serve } from "#protocols/postfix-socketmap/SocketmapServer.ts"
import * as Lookups from "./Lookups.ts"
import { lookupPlaces, lookupSettings } from "./LookupSettings.ts"

/** Registers the service and its health component `mail_lookups`, for a port beside the socket `mail_lookups_port`. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const handler = yield* Lookups.make
    for (const [index, place] of lookupPlaces(yield* settings(lookupSettings)).entries()) {
      yield* PortActor.register({
        name: index === 0 ? "mail look-ups" : "mail look-ups port",
        component: index === 0 ? "mail_lookups" : "mail_lookups_port",
        place,
        setting: lookupSettings.lookupPort.name,
        serve: serve({ place, handler }),
        isTaken: (error) => error.why === "EADDRINUSE"
      })
    }
  })
)
