/** Kills at random moments, and what the record of a run says about getting going again. */
import { Effect } from "effect"
import type { Fleet } from "#support/Fleet.ts"
import type { Random } from "#support/Random.ts"
import type { SwitchDoubleShape } from "#support/switch/SwitchDouble.ts"
import { callerIdOf, type CutCall, inMidCall, liveCalls } from "./Telephone.ts"

/** A process that can be killed: a unit by name, or the embedded server. */
export type Victim = string

export const postgres: Victim = "postgres"

export interface Kill {
  readonly victim: Victim
  readonly at: number
  /** What was going on at the switch. */
  readonly cut: () => ReadonlyArray<CutCall>
}

/** How long a kill that is aimed at a call waits for one. Unit: milliseconds. */
const aimTimeout = 3_000

/** How long a victim may take to be there. Unit: milliseconds. */
const victimTimeout = 30_000

/**
 * Kills `count` times, each victim as often as the others, in random order. Mostly the last one is ready before the
 * next is killed; one time of three the next follows at once, into the middle of a start. Most of the others wait for
 * the middle of a call.
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
      // Anywhere in a call, also in what comes behind it.
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

export const allReady = (fleet: Fleet) =>
  waitFor(
    "everything to be ready",
    () => fleet.postmaster() !== undefined && fleet.units.every((unit) => unit.isReady()),
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

/** Notes when the embedded server took connections again, each time. */
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

/** Something that was waiting from one moment to another: an alarm to be accepted, a target to be reached. */
export interface Waiting {
  readonly from: number
  readonly until: number
}

/**
 * From each restart to the next time something that was waiting got through. Unit: milliseconds. Restarts with nothing
 * waiting say nothing, nor do those that another kill cut short.
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
