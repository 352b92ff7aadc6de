/**
 * The event socket `/api/v1/ws`: sends committed events to the clients that may see them. It follows the outbox
 * (EventFeed) and stores nothing: a returning client names the last id and gets the rest from the table, in any
 * process. Neither a restart nor a lost connection loses or repeats an event.
 */
import type { PgClient } from "@effect/sql-pg"
import { Duration, Effect, Layer, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import type { IncomingMessage } from "node:http"
import type { Duplex } from "node:stream"
import { type WebSocket, WebSocketServer } from "ws"
import type { Permission } from "#core/auth/Permissions.ts"
import { ServiceTokens } from "#core/auth/ServiceTokens.ts"
import { UserVerifier } from "#core/auth/UserVerifier.ts"
import * as EventFeed from "#core/events/EventFeed.ts"
import { type Component, Health } from "#core/daemon/Health.ts"
import { clientKey } from "#core/http/ClientKey.ts"
import { type UpgradeListener } from "#core/http/Listener.ts"
import { clientAddress } from "#core/http/ClientAddress.ts"
import { rawProblem } from "#core/http/NodeProblem.ts"
import { Lane } from "#core/lane/Lane.ts"
import { Actor, type ActorSpec, Supervisor } from "#core/supervision/Supervisor.ts"
import { Wake } from "#core/events/Wake.ts"
import * as Metrics from "#core/metrics/Metrics.ts"
import * as CatchUp from "./CatchUp.ts"
import { Connection, type Proof } from "./Connection.ts"
import { control, eventFrame, maxClientFrame, maxPatterns, read, resumeFrom } from "./Frames.ts"
import { Roster } from "./Roster.ts"

export const hubPath = "/api/v1/ws"

/**
 * Maximum number of connections per process. Reason: the listener takes 4,096 in total, and requests need some of them.
 */
export const maxConnections = 3_000

/**
 * Maximum number of connections per user. Below: maximum number of unauthenticated connections per address and in
 * total. Reason: signed-in users must find room.
 */
export const maxPerUser = 20
const maxUnknown = 100
const maxUnknownOfAll = 1_000

/** Time limit of authentication. Unit: milliseconds. */
const authTimeout = 10_000

/** Interval of token checks, and the number of intervals between pings. */
const upkeepEvery = Duration.seconds(5)
const pingEvery = 6

/** Interval of reads without a wake-up. Unit: seconds. */
const lookEvery = Duration.seconds(30)

/** Wait for an older open transaction that holds events back. Unit: milliseconds. */
const heldWait = Duration.millis(20)

const frames = Metrics.counter("event_socket_events_total", {
  daemon: "comm-dispatcher",
  help: "Events sent to clients of the event socket, one for each client."
}).of({})

interface Identified {
  readonly audience: EventFeed.Audience
  readonly permissions: ReadonlySet<Permission>
}

/** A connection cannot change its owner. */
const isSame = (a: EventFeed.Audience, b: EventFeed.Audience): boolean =>
  a === null || b === null ? a === b : a.userId === b.userId && a.tenantId === b.tenantId

type Services = SqlClient.SqlClient | PgClient.PgClient | ServiceTokens | UserVerifier

/** Serves the event socket. */
export const layer: Layer.Layer<never, never, Services | Wake | Supervisor | Health | Lane> = Layer.effectDiscard(
  Effect.gen(function* () {
    const services = yield* Effect.context<Services>()
    const verifier = yield* UserVerifier
    const tokens = yield* ServiceTokens
    const wakeup = yield* (yield* Wake).subscribe("event")
    const server = new WebSocketServer({
      noServer: true,
      maxPayload: maxClientFrame,
      perMessageDeflate: false,
      clientTracking: false
    })
    const roster = new Roster()
    const catchUp = yield* CatchUp.make
    /** Clients that have caught up and join between two slices; undefined: from the hub's position. */
    const arrivals = new Map<Connection, EventFeed.Position | undefined>()
    let position: EventFeed.Position | undefined

    /** The owner of a token; undefined for an invalid one. Fails while the token cannot be verified. */
    const whoIs = ({ kind, secret }: Proof) =>
      kind === "service"
        ? Effect.map(tokens.find(secret), (found): Identified | undefined =>
            found?.scopes.has("platform") === true ? { audience: null, permissions: new Set() } : undefined
          )
        : verifier.verify(secret).pipe(
            Effect.map(({ permissions, tenantId, userId }): Identified | undefined => ({
              audience: { tenantId, userId },
              permissions
            })),
            Effect.catchTag("TokenRefused", () => Effect.undefined)
          )

    const authenticate = Effect.fnUntraced(function* (
      connection: Connection,
      data: { readonly token?: string; readonly service_token?: string }
    ) {
      const text = data.token ?? data.service_token
      if (text === undefined) return connection.close("unauthenticated")
      const proof: Proof = { kind: data.token === undefined ? "service" : "user", secret: Redacted.make(text) }
      const found = yield* whoIs(proof)
      const before = connection.audience
      if (found === undefined || connection.closed || (before !== undefined && !isSame(before, found.audience)))
        return connection.close("unauthenticated")
      const { audience, permissions } = found
      Object.assign(connection, { proof, permissions })
      if (before === undefined && roster.identify(connection, audience) > maxPerUser && audience !== null) {
        // Some connections may belong to a machine that slept or changed its network; they make room within seconds.
        for (const other of roster.all) if (other.owner === connection.owner) other.probe()
        return connection.close("tooMany")
      }
      connection.say(
        control(
          "auth_ok",
          audience === null
            ? { scope: "platform" }
            : { scope: "user", user_id: audience.userId, tenant_id: audience.tenantId }
        )
      )
    })

    const subscribe = Effect.fnUntraced(function* (
      connection: Connection,
      data: { readonly patterns: ReadonlyArray<string>; readonly last_event_id?: string | null }
    ) {
      const from = resumeFrom(data.last_event_id)
      const patterns = [...new Set([...connection.patterns, ...data.patterns])]
      if (from === "bad" || patterns.length > maxPatterns) return connection.close("badFrame")
      connection.patterns = patterns
      if (connection.from !== undefined) return connection.say(subscribed(connection, position ?? connection.from))
      // The answer to the first frame lists these patterns, too.
      if (connection.joining) return
      connection.joining = true
      if (from !== undefined && (yield* EventFeed.isLost(from))) return connection.close("lost")
      if (from === undefined) arrivals.set(connection, undefined)
      else yield* missed(connection, from)
      yield* wakeup.ring
    })

    /** Sends the missed events; the client then waits to join. */
    const missed = Effect.fnUntraced(function* (
      connection: Connection,
      from: EventFeed.Position,
      wasOvertaken?: "overtaken"
    ) {
      const reached = yield* catchUp(connection, from, wasOvertaken)
      if (reached !== undefined) arrivals.set(connection, reached)
    })

    const work =
      (connection: Connection) =>
      (text: string): Promise<void> => {
        const frame = read(text)
        if (frame._tag === "Failure") {
          connection.say(control("error", { code: "bad_frame", message: frame.failure }))
          connection.close("badFrame")
          return Promise.resolve()
        }
        const { success } = frame
        if (connection.audience === undefined && success.type !== "auth") {
          connection.close("unauthenticated")
          return Promise.resolve()
        }
        const done: Effect.Effect<void, unknown, Services> =
          success.type === "auth"
            ? authenticate(connection, success.data)
            : success.type === "subscribe"
              ? subscribe(connection, success.data)
              : Effect.sync(() => {
                  if (success.type === "ping") return connection.say(control("pong", {}))
                  connection.patterns = connection.patterns.filter(
                    (pattern) => !success.data.patterns.includes(pattern)
                  )
                  connection.say(control("unsubscribed", { patterns: connection.patterns }))
                })
        return Effect.runPromise(
          Effect.provideContext(
            Effect.catchCause(done, (cause) =>
              Effect.andThen(
                Effect.logWarning("a frame of an event client could not be answered", cause),
                // The database is away, or this process has a defect: the client returns with its last id.
                Effect.sync(() => connection.close("goingAway"))
              )
            ),
            services
          )
        )
      }

    const accept = (socket: WebSocket, raw: Duplex, request: IncomingMessage): void => {
      const connection = new Connection(socket, raw, clientKey(clientAddress(request)))
      roster.add(connection)
      const late = setTimeout(() => connection.audience === undefined && connection.close("authTimeout"), authTimeout)
      const answer = work(connection)
      socket.on("message", (data, isBinary) => {
        if (isBinary || !connection.take(String(data), answer)) connection.close("badFrame")
      })
      socket.on("error", () => connection.fail())
      socket.on("close", () => {
        clearTimeout(late)
        if (!roster.remove(connection)) return
        connection.closed = true
        arrivals.delete(connection)
      })
    }

    const upgrade: UpgradeListener = (request, socket, head) => {
      const ofAddress = roster.openOf(`address ${clientKey(clientAddress(request))}`)
      if (roster.all.size >= maxConnections || roster.unknown >= maxUnknownOfAll || ofAddress >= maxUnknown)
        return void socket.end(rawProblem(503, "Too many connections."))
      server.handleUpgrade(request, socket, head, (opened) => accept(opened, socket, request))
    }

    const letIn = (at: EventFeed.Position): void => {
      for (const [connection, from] of arrivals) {
        // A client that is behind the hub's position catches up again.
        if (from !== undefined && EventFeed.compare(from, at) < 0) {
          arrivals.delete(connection)
          Effect.runForkWith(services)(
            Effect.catchCause(Effect.andThen(missed(connection, from, "overtaken"), wakeup.ring), () =>
              Effect.sync(() => connection.close("goingAway"))
            )
          )
          continue
        }
        arrivals.delete(connection)
        connection.from = from ?? at
        roster.listen(connection)
        connection.joining = false
        connection.say(subscribed(connection, connection.from))
      }
    }

    const deliver = (
      events: ReadonlyArray<EventFeed.FedEvent>,
      group: (event: EventFeed.FedEvent) => Iterable<Connection>
    ): void => {
      let given = 0
      for (const event of events) {
        let frame: Buffer | undefined
        for (const connection of group(event)) {
          if (!connection.wants(event)) continue
          connection.give((frame ??= eventFrame(event)))
          given += 1
        }
      }
      if (given > 0) frames.add(given)
    }

    const follow: ActorSpec<never> = {
      name: "event socket",
      run: Effect.gen(function* () {
        const actor = yield* Actor
        while (true) {
          yield* actor.progress
          if (roster.listening === 0 && arrivals.size === 0) {
            position = undefined
            yield* wakeup.wait(lookEvery)
            continue
          }
          position ??= yield* EventFeed.now
          letIn(position)
          const slice = yield* EventFeed.slice(position, roster.platform.size > 0)
          const wanted = slice.tenants.filter((tenant) => roster.ofTenant(tenant).size > 0)
          const theirs = slice.empty ? [] : yield* EventFeed.forTenants(slice, wanted)
          // Sent and advanced in one step: after a failed read nothing has been sent.
          deliver(theirs, ({ tenantId }) => roster.ofTenant(tenantId!))
          deliver(slice.events, () => roster.platform)
          position = slice.upto
          if (!slice.more) yield* wakeup.wait(slice.held ? heldWait : lookEvery)
        }
      }).pipe(Effect.provideContext(services)) as ActorSpec<never>["run"]
    }

    const lookAt = (connection: Connection, proof = connection.proof) =>
      proof === undefined
        ? Effect.void
        : whoIs(proof).pipe(
            // The client may have authenticated anew meanwhile.
            Effect.map(
              (found) => found === undefined && connection.proof === proof && connection.close("unauthenticated")
            ),
            // While the database is away tokens cannot be verified, and no events are sent.
            Effect.ignore
          )

    const upkeep: ActorSpec<never> = {
      name: "event socket upkeep",
      run: Effect.gen(function* () {
        const actor = yield* Actor
        for (let round = 1; ; round++) {
          yield* actor.progress
          yield* Effect.sleep(upkeepEvery)
          yield* Effect.forEach([...roster.all], (connection) => lookAt(connection), { discard: true })
          if (round % pingEvery !== 0) continue
          for (const connection of roster.all) {
            if (connection.alive) connection.ping()
            else connection.terminate()
          }
        }
      })
    }

    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        for (const connection of roster.all) connection.close("goingAway")
      })
    )

    yield* Lane.upgrade(hubPath, upgrade)
    yield* Supervisor.actors([follow, upkeep])
    yield* Health.component(
      "event_socket",
      Effect.sync((): Component => ({ status: "ok", connections: roster.all.size, listening: roster.listening }))
    )
  })
)

/** `last_event_id` is the client's position, also before the first event. */
const subscribed = ({ patterns }: Connection, at: EventFeed.Position): string =>
  control("subscribed", { patterns, last_event_id: EventFeed.positionText(at) })
