/** Kills at random moments, and the recovery times derived from the record of a run. */
import { Effect } from "effect"
import type { Fleet } from "#support/Fleet.ts"
import type { Random } from "#support/Random.ts"
import type { SwitchDoubleShape } from "#support/switch/SwitchDouble.ts"
import { callerIdOf, type CutCall, inMidCall, liveCalls } from "./Telephone.ts"

/** Process to kill: a unit's name, or the embedded server. */
export type Victim = string

export const postgres: Victim = "postgres"

export interface Kill {
  readonly victim: Victim
  readonly at: number
  /** Calls in progress at the switch. */
  readonly cut: () => ReadonlyArray<CutCall>
}

/** Longest wait for a call, for a kill that must hit one. Unit: milliseconds. */
const aimTimeout = 3_000

/** Longest wait until the victim runs. Unit: milliseconds. */
const victimTimeout = 30_000

/**
 * Kills `count` times, each victim equally often, in random order. Usually the previous victim is ready before the next
 * kill. One kill in three follows immediately, to hit a start. Most of the others wait for the middle of a call.
 */
export const killing = (
  { fleet, telephone }: { readonly fleet: Fleet; readonly telephone: SwitchDoubleShape },
  random: Random,
  victims: ReadonlyArray<Victim>,
  count: number,
  onKill: (kills: ReadonlyArray<Kill>) => void
) =>
  Effect.gen(function* () {
    const kills: Array<Kill> = []
    const plan = Array.from({ length: Math.ceil(count / victims.length) }, () => random.shuffled(victims))
      .flat()
      .slice(0, count)
    for (const victim of plan) {
      const overlapping = random.next() < 1 / 3
      if (!overlapping) yield* allReady(fleet)
      const aimed = !overlapping && random.next() < 3 / 4
      yield* Effect.sleep(random.between(0, overlapping ? 1_000 : 2_000))
      // A random moment of the call, or shortly after it.
      if (aimed && (yield* inMidCall(telephone, aimTimeout))) yield* Effect.sleep(random.between(0, 500))
      const live = yield* waitFor(
        `${victim} to be there to be killed`,
        () => {
          const live = liveCalls(telephone)
          return kill(fleet, victim) && live
        },
        fleet
      )
      kills.push({
        victim,
        at: Date.now(),
        cut: () =>
          live.map(({ asked, callerId, uuid }) => ({ uuid, orphaned: callerId === callerIdOf(victim), asked: asked() }))
      })
      onKill(kills)
    }
    return kills
  })

const kill = (fleet: Fleet, victim: Victim): boolean => {
  if (victim !== postgres) return fleet.unit(victim).kill()
  const pid = fleet.postmaster()
  return pid !== undefined && process.kill(pid, "SIGKILL")
}

/** `embedded`: whether the fleet runs its own Postgres. */
export const allReady = (fleet: Fleet, embedded = true) =>
  waitFor(
    "everything to be ready",
    () => (!embedded || fleet.postmaster() !== undefined) && fleet.units.every((unit) => unit.isReady()),
    fleet
  )

const waitFor = <A>(what: string, look: () => A | false, fleet: Fleet) =>
  Effect.gen(function* () {
    const deadline = Date.now() + victimTimeout
    for (;;) {
      const seen = look()
      if (seen !== false) return seen
      if (Date.now() > deadline)
        return yield* Effect.die(new Error(`waited ${victimTimeout} ms for ${what}\n${fleet.tail()}`))
      yield* Effect.sleep(20)
    }
  })

/** Records each time at which the embedded server accepts connections again. */
export const watchPostgres = (fleet: Fleet) =>
  Effect.gen(function* () {
    const readyAt: Array<number> = []
    let seen: number | undefined
    const look = Effect.sync(() => {
      const pid = fleet.postmaster()
      if (pid !== undefined && pid !== seen) {
        seen = pid
        readyAt.push(Date.now())
      }
    })
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(look, Effect.sleep(20))))
    return readyAt as ReadonlyArray<number>
  })

/** Period in which something waited: an alarm for acceptance, or a target for delivery. */
export interface Waiting {
  readonly from: number
  readonly until: number
}

/**
 * Times from each restart to the next success of something that was waiting. Unit: milliseconds. Skips restarts with
 * nothing waiting, and those that a further kill interrupted.
 */
export const resumeTimes = (
  readyAt: ReadonlyArray<number>,
  waiting: ReadonlyArray<Waiting>,
  kills: ReadonlyArray<Kill>
): ReadonlyArray<number> =>
  readyAt.flatMap((ready) => {
    const ends = waiting.filter(({ from, until }) => from < ready && until > ready).map(({ until }) => until)
    if (ends.length === 0) return []
    const next = Math.min(...ends)
    return kills.some(({ at }) => at > ready && at < next) ? [] : [next - ready]
  })

export const quantile = (values: ReadonlyArray<number>, share: number): number =>
  values.length === 0
    ? 0
    : values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!
