/** Settings in the form that the features of edge-auth use. */
import { Context, Effect, Layer } from "effect"
import { settings } from "#core/config/Environment.ts"
import { baseOf, edgeSettings } from "./EdgeSettings.ts"
import { homeFor } from "./OwnAddress.ts"
import type { Home } from "./ReturnTo.ts"

export class Edge extends Context.Service<
  Edge,
  {
    readonly home: Home
    /** The home as the sender of a request with these headers reached it. */
    readonly homeOf: (headers: Readonly<Record<string, string | undefined>>) => Home
    /** Limit of failed sign-ins: more than `max` within `window` seconds block a client address or an account. */
    readonly limits: { readonly window: number; readonly max: number }
    /** Lifetime of a session. Unit: seconds. */
    readonly sessionTtl: number
    /** Whether a host without a route is open to signed-in users only. */
    readonly defaultDeny: boolean
    /** Path at which proxies of other root domains forward to `/handoff`; undefined: sessions are not handed over. */
    readonly handoffPath: string | undefined
    /** Configuration files of the proxy, read for the coverage report. */
    readonly proxyConfig: ReadonlyArray<string>
  }
>()("signalbox/edge-auth/Edge") {
  static readonly layer = Layer.effect(
    Edge,
    Effect.map(settings(edgeSettings), (config) => {
      const home = { base: baseOf(config), cookieDomain: config.cookieDomain }
      return Edge.of({
        home,
        homeOf: (headers) => homeFor(home, config.edgeUrl !== undefined, headers),
        limits: { window: config.throttleWindow, max: config.throttleMax },
        sessionTtl: config.sessionTtl,
        defaultDeny: config.defaultDeny,
        handoffPath: config.handoffPath,
        proxyConfig: config.proxyConfig
      })
    })
  )
}
