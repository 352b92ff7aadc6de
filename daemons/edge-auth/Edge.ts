/** What the handlers of the edge know of its settings. */
import { Context, Effect, Layer } from "effect"
import type { SignInOptions } from "./accounts/SignIn.ts"
import { baseOf, type EdgeAuthConfig } from "./Config.ts"
import type { Home } from "./verify/ReturnTo.ts"

export class Edge extends Context.Service<
  Edge,
  {
    readonly home: Home
    readonly signInOptions: SignInOptions
    readonly firstUserAdmin: boolean
    readonly defaultDeny: boolean
    /** Where proxies of other root domains hand on to us; undefined: no sign-in goes there. */
    readonly handoffPath: string | undefined
    /** Files of the proxy's configuration. */
    readonly proxyConfig: ReadonlyArray<string>
  }
>()("signalbox/edge-auth/Edge") {}

/** `port`: where we listen. */
export const layer = (config: EdgeAuthConfig, port: number): Layer.Layer<Edge> =>
  Layer.effect(
    Edge,
    Effect.succeed(
      Edge.of({
        home: { base: baseOf(config, port), cookieDomain: config.cookieDomain },
        signInOptions: { limits: { window: config.throttleWindow, max: config.throttleMax }, ttl: config.sessionTtl },
        firstUserAdmin: config.firstUserAdmin,
        defaultDeny: config.defaultDeny,
        handoffPath: config.handoffPath,
        proxyConfig: config.proxyConfig
      })
    )
  )
