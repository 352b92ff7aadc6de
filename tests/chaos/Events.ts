/** The disturbances of a chaos run: a plan drawn from the seed, and its execution. */
import { Effect, Semaphore } from "effect"
import type { Fleet } from "#support/Fleet.ts"
import { signal } from "#support/Processes.ts"
import type { Random } from "#support/Random.ts"
import type { Site } from "./Site.ts"

/** `forMs`: length of the disturbance. Unit: milliseconds. */
export type Disturbance =
  | { readonly kind: "kill"; readonly unit: string }
  | { readonly kind: "freeze"; readonly unit: string; readonly forMs: number }
  | { readonly kind: "postgres"; readonly forMs: number }
  | { readonly kind: "fill"; readonly forMs: number }

export type Planned = Disturbance & {
  /** Unit: milliseconds from the begin of the run. */
  readonly at: number
}

export interface Counts {
  readonly kills: number
  readonly freezes: number
  readonly restarts: number
  readonly fills: number
}

/** What happened. Times in epoch milliseconds. */
export interface Happened {
  readonly what: Disturbance
  readonly at: number
  readonly until: number
}

/** Daemons that every second kill hits, because alarms pass through them. */
const alarmDaemons = ["alarm-bridge", "comm-dispatcher"]

/** Lengths. Unit: milliseconds. Reason for `freeze`: shorter than the 20 s after which systemd kills such a process. */
const lengths = { freeze: [2_000, 5_000], postgres: [0, 2_000], fill: [2_000, 5_000] } as const

/** Time without disturbances at the begin and the end. Unit: milliseconds. */
const margin = 2_000

/** Draws the plan, ordered by time. Disturbances may overlap. Pure. */
export const plan = (
  random: Random,
  units: ReadonlyArray<string>,
  duration: number,
  counts: Counts
): ReadonlyArray<Planned> => {
  const one = <A>(of: ReadonlyArray<A>): A => of[Math.floor(random.next() * of.length)]!
  const some = (count: number, draw: () => Disturbance): ReadonlyArray<Planned> =>
    Array.from({ length: count }, () => ({ ...draw(), at: random.between(margin, duration - margin) }))
  const alarmUnits = units.filter((unit) => alarmDaemons.includes(unit))
  return [
    ...some(counts.kills, () => ({ kind: "kill", unit: random.next() < 0.5 ? one(alarmUnits) : one(units) })),
    ...some(counts.freezes, () => ({ kind: "freeze", unit: one(units), forMs: random.between(...lengths.freeze) })),
    ...some(counts.restarts, () => ({ kind: "postgres", forMs: random.between(...lengths.postgres) })),
    ...some(counts.fills, () => ({ kind: "fill", forMs: random.between(...lengths.fill) }))
  ].toSorted((a, b) => a.at - b.at)
}

/** Carries out the plan. The list grows as disturbances begin; the effect ends with the last one. */
export const carryOut = (site: Pick<Site, "fleet" | "postgres">, planned: ReadonlyArray<Planned>, begun: number) => {
  const happened: Array<Happened> = []
  const restarts = restartsInTurn(site)
  const all = Effect.forEach(
    planned,
    ({ at, ...what }) =>
      Effect.gen(function* () {
        yield* Effect.sleep(Math.max(0, begun + at - Date.now()))
        const from = Date.now()
        const done = yield* what.kind === "postgres" ? restarts(what.forMs) : disturb(site, what)
        if (done) happened.push({ what, at: from, until: Date.now() })
      }),
    { concurrency: "unbounded", discard: true }
  )
  return { happened: happened as ReadonlyArray<Happened>, all }
}

/** Restarts of Postgres do not overlap. */
const restartsInTurn = ({ postgres }: Pick<Site, "postgres">) => {
  const turn = Semaphore.makeUnsafe(1)
  return (milliseconds: number) => turn.withPermits(1)(Effect.as(postgres.restart(milliseconds), true))
}

/** Returns false when its process was not there. */
const disturb = (
  { fleet, postgres }: Pick<Site, "fleet" | "postgres">,
  what: Exclude<Disturbance, { readonly kind: "postgres" }>
): Effect.Effect<boolean> => {
  switch (what.kind) {
    case "kill":
      return Effect.sync(() => fleet.unit(what.unit).kill())
    case "freeze":
      return freeze(fleet, what.unit, what.forMs)
    case "fill":
      return Effect.scoped(Effect.as(Effect.andThen(postgres.fill, Effect.sleep(what.forMs)), true))
  }
}

const freeze = (fleet: Fleet, unit: string, milliseconds: number): Effect.Effect<boolean> =>
  Effect.suspend(() => {
    const pid = fleet.unit(unit).pid()
    if (pid === undefined) return Effect.succeed(false)
    return Effect.acquireUseRelease(
      Effect.sync(() => signal(pid, "SIGSTOP")),
      () => Effect.as(Effect.sleep(milliseconds), true),
      () => Effect.sync(() => signal(pid, "SIGCONT"))
    )
  })
