/**
 * Connection to the switch's event socket. Reads events about calls and registrations, and tells the switch about
 * changed data. Placed: runs once in the fleet. The rows of the calls hold all state. An interrupted connection or a
 * dead process therefore loses only the events in between; a later check ends the calls that the switch no longer
 * knows.
 */
import { Context, Duration, Effect, Layer, Queue } from "effect"
import type { SqlClient } from "effect/sql"
import type { CountryCode } from "libphonenumber-js/min"
import { lineOptions, missingOf, type SwitchConfig, switchValues } from "#core/config/SwitchSettings.ts"
import * as Backoff from "#core/supervision/Backoff.ts"
import type { Database } from "#core/sql/Database.ts"
import type { Events } from "#core/events/Events.ts"
import { type Component, Health } from "#core/daemon/Health.ts"
import { isAway, transaction } from "#core/sql/Sql.ts"
import { rebuilt, untilReplaced } from "#core/settings/LiveSettings.ts"
import { reconfigured } from "#core/supervision/Reconfigured.ts"
import { Actor, type ActorSpec, Supervisor } from "#core/supervision/Supervisor.ts"
import { Wake } from "#core/events/Wake.ts"
import { type ChannelEvent, EventSocket, type EventSocketOptions } from "#protocols/event-socket/EventSocket.ts"
import * as Line from "#protocols/event-socket/Line.ts"
import { dataTopic } from "../directory/Exports.ts"
import { registrationEvents } from "./BanRules.ts"
import { BanWatch } from "./BanWatch.ts"
import { callEvents, lostCause, step } from "./CallBook.ts"
import * as CallStore from "./CallStore.ts"
import * as SwitchCheck from "./SwitchCheck.ts"
import * as SwitchFlush from "./SwitchFlush.ts"

/**
 * Reconnects within seconds after a restart of the switch. A switch that rejects the password is asked every 3 s at
 * most.
 */
const reconnecting: Backoff.Backoff = { ...Backoff.standard, name: "switch", max: Duration.seconds(3) }

/**
 * Interval between checks of open calls with the switch. Reason: bounds how long a call stays open after its end event
 * was lost.
 */
const sweepInterval = Duration.seconds(60)

/** Interval between checks for changes that were not announced, and for calls past their retention. */
const lookInterval = Duration.seconds(30)

/** Longest wait for an event before the loop reports progress to its supervisor. */
const quietInterval = Duration.seconds(20)

export interface SwitchWatchOptions
  extends SwitchConfig, Pick<EventSocketOptions, "handshakeTimeout" | "probeInterval" | "probeTimeout"> {
  readonly country: CountryCode
  /** Retention of calls. Unit: days. */
  readonly callRetention: number
  /** Wait after `killgw`. Default: `SwitchFlush.gatewayGone`. */
  readonly gatewayGone?: Duration.Duration
  /** Wait before the second look at the profiles. Default: `SwitchCheck.settled`. */
  readonly settled?: Duration.Duration
  /** Backoff between connection attempts. Default: up to 3 s. */
  readonly reconnecting?: Backoff.Backoff
}

type Needed = SqlClient.SqlClient | Database | Events | BanWatch | Wake

export class SwitchWatch extends Context.Service<
  SwitchWatch,
  {
    /** Health of the connection, from memory; sends nothing to the switch. */
    readonly component: Effect.Effect<Component>
  }
>()("signalbox/sip-config/SwitchWatch") {}

/** `options` has present values. */
export const layer = (options: SwitchWatchOptions): Layer.Layer<SwitchWatch, never, Needed | Supervisor | Health> => {
  const { handshakeTimeout, probeInterval, probeTimeout } = options
  const socket = Line.layer(
    Object.assign(lineOptions(options), {
      names: callEvents,
      subclasses: registrationEvents,
      ...(handshakeTimeout === undefined ? {} : { handshakeTimeout }),
      ...(probeInterval === undefined ? {} : { probeInterval }),
      ...(probeTimeout === undefined ? {} : { probeTimeout })
    })
  )
  return Layer.effect(SwitchWatch, make(options)).pipe(Layer.provide(socket))
}

const make = Effect.fnUntraced(function* (options: SwitchWatchOptions) {
  const socket = yield* EventSocket
  // The event queue outlives a connection: events of a lost connection are still processed.
  const heard = yield* socket.everything
  const known = SwitchFlush.nothingKnown()
  let failure: string | undefined
  const tried: SwitchCheck.Tried = new Map()
  let wrong: ReadonlyArray<SwitchCheck.Repair> = []

  const values = () => switchValues(options)
  // The failure of other settings says nothing about the present ones.
  const forget = rebuilt(values, (_host, _port, _password) => void (failure = undefined))
  const actor: ActorSpec<Needed> = {
    name: "telephone switch",
    placed: true,
    backoff: options.reconnecting ?? reconnecting,
    early: untilReplaced(values),
    run: reconfigured(values, () => {
      forget()
      if (missingOf(options) !== undefined) return undefined
      return Effect.gen(function* () {
        const changed = yield* (yield* Wake).subscribe(dataTopic)
        const keep = Effect.tapError(socket.keep, (error) => Effect.sync(() => void (failure = error.message)))
        return yield* Effect.raceAllFirst([
          keep,
          serve(heard, socket, changed.ring, options),
          tellChanges(changed, socket, known, options, tried, (found) => (wrong = found))
        ])
      }).pipe(Effect.scoped)
    })
  }
  yield* Supervisor.actor(actor)
  return yield* shown(
    Effect.map(socket.connected, (connected): Component => {
      const missing = missingOf(options)
      if (missing !== undefined)
        return {
          status: "unconfigured",
          detail: `${missing} is unset: calls are not recorded, and changes reach the switch within a minute`
        }
      return connected
        ? wrong.length === 0
          ? { status: "ok" }
          : { status: "degraded", detail: wrong.map(({ finding }) => finding).join("; ") }
        : failure === undefined
          ? { status: "ok", detail: "not connected from this process" }
          : { status: "degraded", detail: `not connected: ${failure}` }
    })
  )
})

/** Registers the health component `telephone_switch` and returns the service. */
const shown = (component: Effect.Effect<Component>) =>
  Effect.as(Health.component("telephone_switch", component), SwitchWatch.of({ component }))

/** Processes events in their order, and checks open calls. */
const serve = Effect.fnUntraced(function* (
  heard: Queue.Dequeue<ChannelEvent>,
  socket: EventSocket["Service"],
  ringChanges: Effect.Effect<void>,
  { country }: SwitchWatchOptions
) {
  const actor = yield* Actor
  const bans = yield* BanWatch
  const write = (found: Parameters<typeof CallStore.write>[0]) =>
    patiently(transaction(CallStore.write(found, country)))
  const hear = Effect.fnUntraced(function* (item: ChannelEvent) {
    if (item._tag !== "Event") return item._tag
    if (item.name === "CUSTOM") return void bans.hear(item.headers)
    const found = step(item.name, item.headers, Date.now())
    if (found !== undefined) yield* write(found)
  })
  /**
   * Ends calls that the switch no longer knows. The switch sends all events of a call before its answer, so the queued
   * events are processed first.
   */
  const sweep = Effect.gen(function* () {
    const gone: Array<string> = []
    for (const id of yield* patiently(CallStore.open)) {
      yield* actor.progress
      if ((yield* socket.api(`uuid_exists ${id}`)) === "false") gone.push(id)
    }
    if (gone.length === 0) return
    const passed: Array<ChannelEvent> = Array.from(yield* Queue.clear(heard))
    let again = false
    for (const item of passed) again = (yield* hear(item)) === "Back" || again
    for (const id of gone) yield* write({ _tag: "Ended", id, cause: lostCause, at: Date.now() })
    if (again) yield* ringChanges
  })
  let sweptAt = 0
  while (true) {
    yield* actor.progress
    const item = yield* Effect.timeoutOption(Queue.take(heard), quietInterval)
    const what = item._tag === "None" ? undefined : yield* hear(item.value)
    if (what === "Back") yield* ringChanges
    const due = what === "Back" || (item._tag === "None" && Date.now() - sweptAt > Duration.toMillis(sweepInterval))
    if (due && (yield* socket.connected)) {
      sweptAt = Date.now()
      yield* actor.note("connected")
      // `keep` reports the lost connection.
      yield* Effect.catchTag(sweep, "EventSocketError", (error) =>
        Effect.logWarning(`open calls could not be checked: ${error.message}`)
      )
    }
  }
})

/**
 * Tells the switch about changes on announcement and at intervals, and then compares its profiles with ours, because a
 * change removes gateways for seconds. Also deletes old calls.
 */
const tellChanges = Effect.fnUntraced(function* (
  changed: { readonly wait: (atMost: Duration.Duration) => Effect.Effect<boolean> },
  socket: EventSocket["Service"],
  known: SwitchFlush.Known,
  { callRetention, gatewayGone, settled }: SwitchWatchOptions,
  tried: SwitchCheck.Tried,
  report: (found: ReadonlyArray<SwitchCheck.Repair>) => void
) {
  while (true) {
    if (yield* socket.connected) {
      yield* Effect.catchTag(
        patiently(
          SwitchFlush.flush(socket, known, gatewayGone ?? SwitchFlush.gatewayGone).pipe(
            Effect.andThen(SwitchCheck.check(socket, tried, settled ?? SwitchCheck.settled)),
            Effect.map(report)
          )
        ),
        "EventSocketError",
        (error) => Effect.logWarning(`the switch could not be notified of changes: ${error.message}`)
      )
    }
    yield* patiently(CallStore.prune(callRetention))
    yield* changed.wait(lookInterval)
  }
})

/** Retries while the database is away, because the switch does not repeat its events. */
const patiently = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Actor, (actor) =>
    effect.pipe(
      Effect.tapError((error) => (isAway(error) ? actor.progress : Effect.void)),
      Effect.retry({ while: isAway, schedule: Backoff.schedule(Backoff.eager) })
    )
  )
