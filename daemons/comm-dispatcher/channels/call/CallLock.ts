/**
 * Allows one alarm call at a time in the fleet: a telephone busy with one alarm cannot receive a second, and a person
 * can listen to one only. The lock is a session advisory lock of Postgres. A call that has waited for `wait` since it
 * was due goes without the lock. Numbered slots, also advisory locks, limit the number of such calls per gateway; an
 * overdue alarm that finds none goes without one. Tenants take turns.
 *
 * All calls of a process share one session, opened by the first call and closed when idle. The process waits for the
 * lock and grants it to its most severe call. The scope of a call releases what it holds. A lost session loses the
 * lock: the call continues and reports it, and the lock is requested again. While Postgres is away calls still go at
 * the end of their wait, as many at once as there are slots.
 */
import { Clock, Context, Deferred, Duration, Effect, Latch, Layer, type Scope } from "effect"
import type { SqlError } from "effect/sql"
import * as Backoff from "#core/supervision/Backoff.ts"
import { Database } from "#core/sql/Database.ts"
import { Actor, type ActorSpec, Supervisor } from "#core/supervision/Supervisor.ts"
import * as LockSession from "./LockSession.ts"
import { byUrgency, overdue, placesFor, slice, type Turn } from "./CallTurns.ts"

export interface CallLockOptions {
  /** How long a call waits for the lock, from when it was due. Default `defaultWait`. */
  readonly wait?: Duration.Duration
  /** Calls without the lock at once on one gateway, in the fleet. Default `defaultPerGateway`. */
  readonly perGateway?: number
  /** Of these, calls reserved for alarm mails. Default 0. */
  readonly reserved?: number
  /** Idle time after which the session is closed. Default `defaultIdle`. */
  readonly idle?: Duration.Duration
  /**
   * How long an overdue call waits for the session before Postgres counts as away. Default `defaultConnectPatience`.
   */
  readonly connectPatience?: Duration.Duration
}

/** Default of `wait`. Reason: twice the length of a usual call. */
export const defaultWait = Duration.seconds(90)
/** Default of `perGateway`. Reason: trunks of small offices have two to four channels; people need some of them. */
export const defaultPerGateway = 2
export const defaultIdle = Duration.seconds(30)

/** Interval of probes of a session that holds the lock. Reason: one statement a second, during calls only. */
const probeEvery = Duration.seconds(1)
export const defaultConnectPatience = Duration.seconds(5)
/** Interval of checks of a waiting call while Postgres is away. */
const lookAgain = Duration.millis(250)
/** Interval of progress reports of the idle actor. Unit: seconds. */
const tick = Duration.seconds(20)

export interface Lease {
  /** Whether the call has the lock, or goes without it. */
  readonly kind: "locked" | "anyway"
  /**
   * Checked right before dialling, because the session may have ended since the turn was granted. `kept`: the lock is
   * still held, or the call goes without it; `regained`: it was lost and is held again; `lost`: it was not regained
   * before the end of the wait.
   */
  readonly confirm: Effect.Effect<"kept" | "regained" | "lost">
  /** Remark for the ledger, read at the call's end; undefined when the call held the lock throughout. */
  readonly note: Effect.Effect<string | undefined>
}

export class CallLock extends Context.Service<
  CallLock,
  {
    /**
     * Waits for the turn and holds it until the scope ends. Never fails: at the end of the wait the call goes without
     * the lock.
     */
    readonly take: (turn: Turn) => Effect.Effect<Lease, never, Scope.Scope>
  }
>()("signalbox/comm-dispatcher/CallLock") {}

type Grant =
  | { readonly kind: "locked" }
  | { readonly kind: "anyway"; readonly slot: string | undefined; readonly because: "slot" | "away" | "alarm" }

interface Call extends Turn {
  readonly asked: number
  readonly granted: Deferred.Deferred<Grant>
  grant: Grant | undefined
  /** Whether the session ended while this call held the lock. */
  lost: boolean
}

export const layer = (options: CallLockOptions = {}): Layer.Layer<CallLock, never, Database | Supervisor> =>
  Layer.effect(
    CallLock,
    Effect.gen(function* () {
      const { actor, take } = make(yield* Database, options)
      yield* Supervisor.actor(actor)
      return { take }
    })
  )

const make = (database: Database["Service"], options: CallLockOptions) => {
  const wait = Duration.toMillis(options.wait ?? defaultWait)
  const perGateway = options.perGateway ?? defaultPerGateway
  const reserved = options.reserved ?? 0
  const idle = options.idle ?? defaultIdle
  const connectPatience = Duration.toMillis(options.connectPatience ?? defaultConnectPatience)
  const waiting = new Set<Call>()
  /** Calls under way without the lock. */
  const anyway = new Set<Call>()
  /** When each tenant last got a turn here. Bounded: emptied while no call waits. */
  const lastTurns = new Map<number, number>()
  let turnsGiven = 0
  /** Slots that the session holds and no call needs. */
  const leftSlots: Array<string> = []
  const news = Latch.makeUnsafe(false)
  let holder: Call | undefined
  let held = false
  let connected = false
  let current: LockSession.LockSession | undefined

  const grant = (call: Call, given: Grant) => {
    waiting.delete(call)
    call.grant = given
    lastTurns.set(call.tenantId, ++turnsGiven)
    if (given.kind === "locked") holder = call
    else anyway.add(call)
    Deferred.doneUnsafe(call.granted, Effect.succeed(given))
  }

  const leave = (call: Call) => {
    waiting.delete(call)
    anyway.delete(call)
    if (holder === call) holder = undefined
    if (call.grant?.kind === "anyway" && call.grant.slot !== undefined) leftSlots.push(call.grant.slot)
    Latch.openUnsafe(news)
  }

  const slotsOf = (gateway: string) => [...anyway].filter((call) => call.gateway === gateway)

  /** While Postgres is away only the slots of this process can be counted. */
  const goUncounted = (call: Call, now: number) => {
    const open = call.kind !== "request" || slotsOf(call.gateway).length < placesFor(call.kind, perGateway, reserved)
    if (!connected && now >= call.asked + connectPatience && open)
      grant(call, { kind: "anyway", slot: undefined, because: "away" })
  }

  const turnOf = Effect.fnUntraced(function* (call: Call) {
    const left = Math.max(0, call.dueAt + wait - (yield* Clock.currentTimeMillis))
    const early = yield* Effect.timeoutOption(Deferred.await(call.granted), left)
    if (early._tag === "Some") return early.value
    while (true) {
      goUncounted(call, yield* Clock.currentTimeMillis)
      const late = yield* Effect.timeoutOption(Deferred.await(call.granted), lookAgain)
      if (late._tag === "Some") return late.value
    }
  })

  /** The flags show a loss late, so the session itself is probed. */
  const confirm = Effect.fnUntraced(function* (call: Call) {
    while (true) {
      if (call.grant?.kind !== "locked") return "kept"
      const session = current
      const sure =
        held && session !== undefined && (yield* Effect.isSuccess(session.probe)) && held && session === current
      if (sure && !call.lost) return "kept"
      if (sure) {
        call.lost = false
        return "regained"
      }
      if ((yield* Clock.currentTimeMillis) >= call.dueAt + wait) {
        call.lost = true
        return "lost"
      }
      yield* Effect.sleep(lookAgain)
    }
  })

  const take = (turn: Turn) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const call: Call = {
          ...turn,
          asked: yield* Clock.currentTimeMillis,
          granted: Deferred.makeUnsafe(),
          grant: undefined,
          lost: false
        }
        yield* Effect.addFinalizer(() => Effect.sync(() => leave(call)))
        waiting.add(call)
        Latch.openUnsafe(news)
        const given = yield* restore(turnOf(call))
        return {
          kind: given.kind,
          confirm: confirm(call),
          note: Effect.sync(() => noteOf(given, call.lost, wait))
        } satisfies Lease
      })
    )

  /**
   * Grants the call a free slot of its gateway; false when there is none. Slots of this process are skipped, because
   * the session would be granted them twice.
   */
  const takeSlot = Effect.fnUntraced(function* (session: LockSession.LockSession, call: Call) {
    const ours = new Set(slotsOf(call.gateway).map(({ grant }) => (grant?.kind === "anyway" ? grant.slot : undefined)))
    for (let number = 0; number < placesFor(call.kind, perGateway, reserved); number++) {
      const slot = `${call.gateway}:${number}`
      if (ours.has(slot) || leftSlots.includes(slot) || !(yield* session.trySlot(slot))) continue
      if (waiting.has(call)) grant(call, { kind: "anyway", slot, because: "slot" })
      else leftSlots.push(slot)
      return true
    }
    return false
  })

  /** One round: releases slots, requests the lock if a call waits, grants it, and lets overdue calls go. */
  const round = Effect.fnUntraced(function* (session: LockSession.LockSession) {
    for (let slot = leftSlots[0]; slot !== undefined; slot = leftSlots[0]) {
      yield* session.releaseSlot(slot)
      leftSlots.shift()
    }
    if (held && holder === undefined) {
      // Released even if calls wait here, because other processes wait, too.
      yield* session.unlock
      held = false
    }
    if (!held && (waiting.size > 0 || holder !== undefined)) {
      const atMost = holder === undefined ? slice(waiting, yield* Clock.currentTimeMillis, wait) : 1
      held = yield* session.lock(atMost)
    }
    if (waiting.size === 0) lastTurns.clear()
    const [first] = [...waiting].sort(byUrgency(lastTurns))
    if (held && holder === undefined && first !== undefined) grant(first, { kind: "locked" })
    const full = new Set<string>()
    for (const call of overdue(waiting, yield* Clock.currentTimeMillis, wait, lastTurns)) {
      // Alarm mails may use more slots than other calls.
      const slots = `${call.kind === "alarm_mail"} ${call.gateway}`
      if (waiting.has(call) && !full.has(slots) && !(yield* takeSlot(session, call))) full.add(slots)
      if (waiting.has(call) && call.kind !== "request")
        grant(call, { kind: "anyway", slot: undefined, because: "alarm" })
    }
  })

  const serve = Effect.gen(function* () {
    const actor = yield* Actor
    const session = yield* LockSession.open
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        connected = false
        current = undefined
        held = false
        leftSlots.length = 0
        if (holder !== undefined) holder.lost = true
      })
    )
    connected = true
    current = session
    while (true) {
      yield* actor.progress
      Latch.closeUnsafe(news)
      yield* round(session)
      const busy = holder !== undefined || anyway.size > 0
      if (!busy && waiting.size === 0 && !held && leftSlots.length === 0) {
        if ((yield* Effect.timeoutOption(news.await, idle))._tag === "None") return
        continue
      }
      // Without a holder the lock request itself is the pause.
      if (holder === undefined && (waiting.size > 0 || held)) continue
      const pause =
        waiting.size === 0 ? Duration.toMillis(probeEvery) : slice(waiting, yield* Clock.currentTimeMillis, wait)
      if ((yield* Effect.timeoutOption(news.await, pause))._tag === "None") yield* session.probe
    }
  }).pipe(Effect.scoped, Effect.provideService(Database, database))

  const actor: ActorSpec<never> = {
    name: "call lock",
    backoff: Backoff.eager,
    run: Effect.gen(function* () {
      const actor = yield* Actor
      while (true) {
        yield* actor.progress
        if (waiting.size > 0 || holder !== undefined || anyway.size > 0) yield* serve
        else {
          Latch.closeUnsafe(news)
          yield* Effect.timeoutOption(news.await, tick)
        }
      }
    }) as Effect.Effect<never, SqlError.SqlError, Actor>
  }

  return { take, actor }
}

const noteOf = (given: Grant, lost: boolean, wait: number): string | undefined => {
  if (given.kind === "locked") return lost ? "the call lock was lost during the call" : undefined
  const waited = `without the call lock, after a wait of ${Math.round(wait / 1_000)} s`
  switch (given.because) {
    case "slot":
      return waited
    case "away":
      return `${waited} (the database is away)`
    case "alarm":
      return `${waited}, beyond the parallel calls of the gateway`
  }
}
