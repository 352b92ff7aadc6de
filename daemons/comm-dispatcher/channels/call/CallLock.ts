/**
 * One alarm call at a time in the whole fleet: a telephone that is engaged by the first alarm cannot be told of the second,
 * and a person can listen to one. It is a session advisory lock of Postgres. Who has waited for `wait` from when the call
 * was due goes without it; how many do so at once is bounded for each gateway, by numbered slots that are locks as well.
 *
 * All calls of a process share one session, opened when the first asks and closed when idle: the process waits for the lock,
 * and gives it to the gravest of its calls once it has it. What a call held is given back with its scope. When the session is
 * lost the lock is too: the call goes on and says so, and the lock is asked for again. While Postgres is away calls still
 * go, at the end of their wait and no more at once than there are slots.
 */
import { Clock, Context, Deferred, Duration, Effect, Latch, Layer, type Scope } from "effect"
import type { SqlError } from "effect/sql"
import * as Backoff from "#core/supervision/Backoff.ts"
import { Database } from "#core/sql/Database.ts"
import { Actor, type ActorSpec, Supervisor } from "#core/supervision/Supervisor.ts"
import * as LockSession from "./LockSession.ts"
import { byUrgency, overdue, slice, type Turn } from "./CallTurns.ts"

export interface CallLockOptions {
  /** How long a call waits for the lock, from when it was due. Default `defaultWait`. */
  readonly wait?: Duration.Duration
  /** Calls without the lock at once on one gateway, in the fleet. Default `defaultPerGateway`. */
  readonly perGateway?: number
  /** The session is closed when unused for so long. Default `defaultIdle`. */
  readonly idle?: Duration.Duration
  /** How long an overdue call lets the session be opened before it counts Postgres as away. Default `defaultConnectPatience`. */
  readonly connectPatience?: Duration.Duration
}

/** Reason: twice what a call with its message lasts. */
export const defaultWait = Duration.seconds(90)
/** Unit: calls. Reason: trunks of small offices have two to four channels; some must be left for people. */
export const defaultPerGateway = 2
export const defaultIdle = Duration.seconds(30)

/** How often a session whose lock is held is asked whether it is still there. Reason: one statement a second, during calls only. */
const probeEvery = Duration.seconds(1)
export const defaultConnectPatience = Duration.seconds(5)
/** Between two looks of a call while Postgres is away. */
const lookAgain = Duration.millis(250)
/** Unit: seconds. Between two signs of life of the actor when nobody calls. */
const tick = Duration.seconds(20)

export interface Lease {
  /** Whether the call has the lock, or goes without. */
  readonly kind: "locked" | "anyway"
  /**
   * To be asked right before dialling, as the session may have ended since the turn was given: whether the lock is still ours
   * (`kept`; also of a call that goes without), is ours again after others had their chance at it (`regained`), or was not to
   * be had until the end of the wait (`lost`).
   */
  readonly confirm: Effect.Effect<"kept" | "regained" | "lost">
  /** For the ledger, asked for at the call's end; undefined when all went as it should. */
  readonly note: Effect.Effect<string | undefined>
}

export class CallLock extends Context.Service<
  CallLock,
  {
    /** Waits for the turn and holds it until the scope ends. Never fails: at the end of the wait it goes without. */
    readonly take: (turn: Turn) => Effect.Effect<Lease, never, Scope.Scope>
  }
>()("signalbox/comm-dispatcher/CallLock") {}

type Grant =
  | { readonly kind: "locked" }
  | { readonly kind: "anyway"; readonly slot: string | undefined; readonly away: boolean }

interface Call extends Turn {
  readonly asked: number
  readonly granted: Deferred.Deferred<Grant>
  grant: Grant | undefined
  /** The session ended while this call held the lock. */
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
  const idle = options.idle ?? defaultIdle
  const connectPatience = Duration.toMillis(options.connectPatience ?? defaultConnectPatience)
  const waiting = new Set<Call>()
  /** Gone without the lock, and not over. */
  const anyway = new Set<Call>()
  /** What the session holds and nobody here needs any more. */
  const leftSlots: Array<string> = []
  const news = Latch.makeUnsafe(false)
  let holder: Call | undefined
  let held = false
  let connected = false
  let current: LockSession.LockSession | undefined

  const grant = (call: Call, given: Grant) => {
    waiting.delete(call)
    call.grant = given
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

  /** While Postgres is away the slots of this process are all that can be counted. */
  const goUncounted = (call: Call, now: number) => {
    if (!connected && now >= call.asked + connectPatience && slotsOf(call.gateway).length < perGateway)
      grant(call, { kind: "anyway", slot: undefined, away: true })
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

  /** The flags tell of a loss only once it was noticed; the session itself is asked. */
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
   * Lets the call go by a free slot of its gateway; false when there is none. Slots are numbered; the session would be given
   * twice what it holds already, so ours are left out.
   */
  const takeSlot = Effect.fnUntraced(function* (session: LockSession.LockSession, call: Call) {
    const ours = new Set(slotsOf(call.gateway).map(({ grant }) => (grant?.kind === "anyway" ? grant.slot : undefined)))
    for (let number = 0; number < perGateway; number++) {
      const slot = `${call.gateway}:${number}`
      if (ours.has(slot) || leftSlots.includes(slot) || !(yield* session.trySlot(slot))) continue
      if (waiting.has(call)) grant(call, { kind: "anyway", slot, away: false })
      else leftSlots.push(slot)
      return true
    }
    return false
  })

  /** Once round: gives back, asks for the lock if anybody wants it, hands it on, lets the overdue go. */
  const round = Effect.fnUntraced(function* (session: LockSession.LockSession) {
    for (let slot = leftSlots[0]; slot !== undefined; slot = leftSlots[0]) {
      yield* session.releaseSlot(slot)
      leftSlots.shift()
    }
    if (held && holder === undefined) {
      // Given back even if others wait here: other processes have waited as well.
      yield* session.unlock
      held = false
    }
    if (!held && (waiting.size > 0 || holder !== undefined)) {
      const atMost = holder === undefined ? slice(waiting, yield* Clock.currentTimeMillis, wait) : 1
      held = yield* session.lock(atMost)
    }
    const [first] = [...waiting].sort(byUrgency)
    if (held && holder === undefined && first !== undefined) grant(first, { kind: "locked" })
    const full = new Set<string>()
    for (const call of overdue(waiting, yield* Clock.currentTimeMillis, wait)) {
      if (waiting.has(call) && !full.has(call.gateway) && !(yield* takeSlot(session, call))) full.add(call.gateway)
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
      // Without a holder the ask for the lock is the pause; with one there is nothing to ask.
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
  return given.away ? `${waited} (the database is away)` : waited
}
