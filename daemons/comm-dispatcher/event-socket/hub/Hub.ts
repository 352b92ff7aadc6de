/**
 * The event socket `/api/v1/ws`: events of the outbox to everybody who may see them, as they become certain. It follows the outbox by
 * itself (EventFeed) and keeps nothing: a client that comes back shows the id it saw last and is told the rest from the table, in any
 * process. So neither a restart nor a lost connection loses or repeats an event.
 */
import type { PgClient } from "@effect/sql-pg"
import { Context, Duration, Effect, Layer, Metric, Redacted } from "effect"
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
import * as CatchUp from "./CatchUp.ts"
import { Connection, type Proof } from "./Connection.ts"
import { control, eventFrame, maxClientFrame, maxPatterns, read, resumeFrom } from "./Frames.ts"
import { Roster } from "./Roster.ts"

export const hubPath = "/api/v1/ws"

/** Connections of one process. Reason: the listener takes 4,096 in all, and requests must find a place beside those who stay. */
export const maxConnections = 3_000

/** Connections of one user; those that have not said who they are, of one address and of all. Reason: whoever is signed in finds a place. */
export const maxPerUser = 20
const maxUnknown = 100
const maxUnknownOfAll = 1_000

/** How long a client may take to say who it is. Unit: milliseconds. */
const authTimeout = 10_000

/** How often clients' tokens are looked at again, and every how many times they are asked for a sign of life. */
const upkeepEvery = Duration.seconds(5)
const pingEvery = 6

/** Without news the outbox is looked at so often all the same. Unit: seconds. */
const lookEvery = Duration.seconds(30)

/** How long is waited for an older transaction that holds events back. Unit: milliseconds. */
const heldWait = Duration.millis(20)

const frames = Metric.counter("event_frames_total", { description: "Events handed to clients of the event socket" })

interface Identified {
  readonly audience: EventFeed.Audience
  readonly permissions: ReadonlySet<Permission>
}

/** A connection stays whose it is. */
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
    /** Those who have caught up, to be let in between two slices; undefined: from where the hub stands. */
    const arrivals = new Map<Connection, EventFeed.Position | undefined>()
    let position: EventFeed.Position | undefined

    /** Whose the secret is: undefined when it is nobody's. Fails while nobody can say. */
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
        // Some may be of a machine that slept or changed its network; then there is room in a moment.
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
      // The answer to the first frame names these patterns, too.
      if (connection.joining) return
      connection.joining = true
      if (from !== undefined && (yield* EventFeed.isLost(from))) return connection.close("lost")
      if (from === undefined) arrivals.set(connection, undefined)
      else yield* missed(connection, from)
      yield* wakeup.ring
    })

    /** Tells it what it missed; then it waits to be let in. */
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
                // The database is away, or we broke: the client comes back with the id that it saw last.
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
        // One that has caught up less far than we stand reads on first.
        if (from !== undefined && EventFeed.compare(from, at) < 0) {
          arrivals.delete(connection)
          Effect.runFork(
            Effect.provideContext(
              Effect.catchCause(Effect.andThen(missed(connection, from, "overtaken"), wakeup.ring), () =>
                Effect.sync(() => connection.close("goingAway"))
              ),
              services
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
      if (given > 0) frames.updateUnsafe(given, Context.empty())
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
          // Handed out and passed in one go: when a reading fails, nobody has been given anything yet.
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
            // Unless it has shown another one meanwhile.
            Effect.map(
              (found) => found === undefined && connection.proof === proof && connection.close("unauthenticated")
            ),
            // While the database is away nobody can say; nothing is delivered meanwhile either.
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

/** `last_event_id` is where the client stands now, also when no event has come yet. */
const subscribed = ({ patterns }: Connection, at: EventFeed.Position): string =>
  control("subscribed", { patterns, last_event_id: EventFeed.positionText(at) })
