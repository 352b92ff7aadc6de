/**
 * Ban list and rate limit of a process, and the guard of daemons with an address of their own. The gateway applies the
 * same list and limit to the daemons behind it (Chain.ts). The guard opens no connection; it refuses, or calls the
 * daemon.
 */
import { Effect } from "effect"
import type { IncomingMessage } from "node:http"
import { settings } from "../config/Environment.ts"
import * as Cluster from "../cluster/Cluster.ts"
import { platformSettings } from "../config/PlatformSettings.ts"
import type { RunningDaemon } from "../daemon/Daemon.ts"
import type { Route } from "../daemon/Feature.ts"
import { clientAddress, trustedFrom } from "../http/ClientAddress.ts"
import { rawProblem, sendProblem } from "../http/NodeProblem.ts"
import * as RateLimit from "../limits/RateLimit.ts"
import { forDaemon } from "../log/Log.ts"
import * as Migrations from "../sql/Migrations.ts"
import { make as makeSupervisor, type Supervisor } from "../supervision/Supervisor.ts"
import type { BanList } from "./BanList.ts"
import * as Bans from "./Bans.ts"
import { gatewaySettings } from "./GatewaySettings.ts"
import { forRequest } from "./SecurityHeaders.ts"

export interface Entrance {
  readonly supervisor: Supervisor["Service"]
  readonly banned: BanList
  readonly limit: RateLimit.RateLimit
  /** Whether an address is a trusted proxy. All visitors of a proxy that names no client share its address. */
  readonly trusted: (address: string) => boolean
}

/** Starts the actors that keep the ban list, once in a process. */
export const start = Effect.gen(function* () {
  const config = yield* settings({
    ...gatewaySettings,
    trustedProxies: platformSettings.trustedProxies,
    networkDir: platformSettings.networkDir
  })
  yield* Migrations.run(Bans.gatewayMigrations)
  const supervisor = yield* makeSupervisor("gateway", yield* Cluster.place("default"))
  const bans = yield* Bans.make({ trusted: config.trustedProxies, directory: config.networkDir })
  for (const actor of bans.actors) yield* supervisor.start(actor)
  return {
    supervisor,
    banned: bans.banned,
    limit: RateLimit.make({ burst: config.burst, perSecond: config.rate }),
    trusted: trustedFrom(config.trustedProxies)
  } satisfies Entrance as Entrance
}).pipe(forDaemon("gateway"))

type Target = Pick<RunningDaemon, "listener" | "upgrade">

/**
 * Refuses banned clients and clients above the rate limit before `target` sees the request. `routes`: those of the
 * daemon; a route without rate limit names one exact path.
 */
export const guard = ({ banned, limit, trusted }: Entrance, routes: ReadonlyArray<Route>, target: Target): Target => {
  const unlimited = new Set(routes.flatMap((route) => (route.rateLimited === false ? [route.prefix] : [])))
  const refusal = (request: IncomingMessage) => {
    const client = clientAddress(request)
    const now = Date.now()
    if (banned(client, now)) return { problem: "banned", headers: { connection: "close" } } as const
    const url = request.url ?? "/"
    const end = url.indexOf("?")
    // In this order, because parsing an address takes as long as a tenth of a fast-lane answer.
    if (unlimited.has(end === -1 ? url : url.slice(0, end)) || trusted(client)) return undefined
    const wait = limit.take(client, now)
    return wait === 0 ? undefined : ({ problem: 429, headers: { "retry-after": String(wait) } } as const)
  }
  return {
    listener: (request, response) => {
      const refused = refusal(request)
      if (refused === undefined) return target.listener(request, response)
      sendProblem(response, refused.problem, undefined, { ...forRequest("/", false), ...refused.headers })
    },
    upgrade:
      target.upgrade &&
      ((request, socket, head) => {
        const refused = refusal(request)
        if (refused === undefined) return target.upgrade?.(request, socket, head)
        socket.end(rawProblem(refused.problem, undefined, refused.headers))
      })
  }
}
