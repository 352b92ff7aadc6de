/**
 * Undelivered alarms known to this process: the last answer of the ledger, and later attempts of this process. In
 * memory; used while the database is away.
 */
import { Context, Effect, Layer } from "effect"
import type { Trouble } from "#core/second-path/SecondPath.ts"
import type { Channel } from "../../vocabulary/Exports.ts"

/** An open target. */
export interface OpenTarget {
  readonly targetId: number
  readonly runId: string
  readonly channel: string
  /** Null: the subject was malformed. */
  readonly severity: string | null
  /** When it was first due. Epoch milliseconds. */
  readonly since: number
  readonly reason: string | null
}

/** A run with a target that failed for good, fallbacks included. */
export interface FailedRun {
  readonly runId: string
  readonly channels: ReadonlyArray<string>
  readonly severity: string | null
  /** Time of the end, in epoch milliseconds. */
  readonly at: number
  readonly reason: string | null
  /** A target may have been reached: an attempt was sent and not answered. Default: false. */
  readonly uncertain?: boolean
}

/** Undelivered alarms in the ledger. */
export interface LedgerView {
  readonly open: ReadonlyArray<OpenTarget>
  readonly failed: ReadonlyArray<FailedRun>
}

/** How long an alarm may be undelivered. Unit: minutes. */
export const undeliveredLimit = 10

/** How far failed runs are looked back at, and how long reports are remembered. Unit: minutes of the clock. */
export const failedLookback = 60

/**
 * Maximum number of failed runs of this process that are kept. Reason: each is a line in a mail; the ledger has all.
 */
const mostFailed = 500

export class Undelivered extends Context.Service<
  Undelivered,
  {
    /** Records a failed attempt that will be repeated. */
    readonly noteFailed: (target: OpenTarget) => Effect.Effect<void>
    /**
     * Records a finished target, whether stored or not. `failed`: it failed for good without a fallback. Only alarms
     * count: callers of the API read the run themselves.
     */
    readonly noteEnded: (
      targetId: number,
      failed?: {
        readonly runId: string
        readonly channel: Channel
        readonly severity: string | null
        readonly reason: string
        readonly uncertain?: boolean
      }
    ) => Effect.Effect<void>
    /** Replaces older records by the ledger's answer to a query made at `askedAt`. */
    readonly refresh: (view: LedgerView, askedAt: number) => Effect.Effect<void>
    /** Troubles known to this process. */
    readonly troubles: (watch: string, minute: number) => Effect.Effect<ReadonlyArray<Trouble>>
  }
>()("signalbox/comm-dispatcher/Undelivered") {}

export const layer: Layer.Layer<Undelivered> = Layer.sync(Undelivered, () => {
  let view: LedgerView = { open: [], failed: [] }
  const noted = new Map<number, OpenTarget & { readonly notedAt: number }>()
  const ended = new Map<number, number>()
  const failed = new Map<string, FailedRun>()
  return Undelivered.of({
    noteFailed: (target) => Effect.sync(() => void noted.set(target.targetId, { ...target, notedAt: Date.now() })),
    noteEnded: (targetId, why) =>
      Effect.sync(() => {
        const now = Date.now()
        noted.delete(targetId)
        ended.set(targetId, now)
        if (why === undefined || failed.size >= mostFailed) return
        const before = failed.get(why.runId)
        failed.set(why.runId, {
          runId: why.runId,
          channels: [...new Set([...(before?.channels ?? []), why.channel])],
          severity: why.severity,
          at: before?.at ?? now,
          reason: why.reason,
          uncertain: before?.uncertain === true || why.uncertain === true
        })
      }),
    refresh: (answer, askedAt) =>
      Effect.sync(() => {
        const [since, at] = [
          new Map(view.open.map((target) => [target.targetId, target.since])),
          new Map(view.failed.map((run) => [run.runId, run.at]))
        ]
        // The first computed time stays, so that the same trouble keeps its identity; later ones differ by
        // milliseconds.
        view = {
          open: answer.open.map((target) => ({ ...target, since: since.get(target.targetId) ?? target.since })),
          failed: answer.failed.map((run) => ({ ...run, at: at.get(run.runId) ?? run.at }))
        }
        for (const [id, { notedAt }] of noted) if (notedAt < askedAt) noted.delete(id)
        // An end that is not stored yet counts as an end.
        const open = new Set(answer.open.map((target) => target.targetId))
        const old = askedAt - failedLookback * 60_000
        for (const [id, endedAt] of ended) if ((!open.has(id) && endedAt < askedAt) || endedAt < old) ended.delete(id)
        for (const [id, run] of failed) if (run.at < old) failed.delete(id)
      }),
    troubles: (watch, minute) =>
      Effect.sync(() => {
        const open = new Map(view.open.map((target) => [target.targetId, target]))
        for (const [id, target] of noted) {
          const known = open.get(id)
          open.set(id, { ...target, since: Math.min(known?.since ?? target.since, target.since) })
        }
        for (const id of ended.keys()) open.delete(id)
        const lost = new Map([...failed.values(), ...view.failed].map((run) => [run.runId, run]))
        return troublesOf(watch, [...open.values()], [...lost.values()], minute)
      })
  })
})

/** Problems to report. An open run is one problem; a part of it that failed for good is a second one. Pure. */
export const troublesOf = (
  watch: string,
  open: ReadonlyArray<OpenTarget>,
  failed: ReadonlyArray<FailedRun>,
  minute: number
): ReadonlyArray<Trouble> => {
  const runs = Map.groupBy(open, (target) => target.runId)
  return [
    ...failed.map((run): Trouble => ({
      key: failedKey(run.runId),
      watch,
      since: run.at,
      after: 0,
      once: true,
      ...(runs.has(run.runId) ? {} : { replaces: openKey(run.runId) }),
      what:
        `alarm ${run.runId}${graveOf(run.severity)} ${run.uncertain === true ? "may not have been" : "was not"} ` +
        `delivered by ${run.channels.join(", ")} and is not tried again${because(run.reason)}`,
      advice: `pass it on yourself: signalbox alarm show ${run.runId}`
    })),
    ...Array.from(runs, ([runId, targets]): Trouble => ({
      key: openKey(runId),
      watch,
      since: Math.min(...targets.map(({ since }) => since)),
      after: undeliveredLimit * minute,
      what:
        `alarm ${runId}${graveOf(targets[0]!.severity)} is undelivered by ` +
        `${[...new Set(targets.map(({ channel }) => channel))].join(", ")}${because(
          targets.find(({ reason }) => reason !== null)?.reason ?? null
        )}`,
      advice: `it is still being tried; see why, and pass it on yourself: signalbox alarm show ${runId}`
    }))
  ]
}

const openKey = (runId: string): string => `run ${runId}`
const failedKey = (runId: string): string => `run ${runId} failed`
const graveOf = (severity: string | null): string => (severity === null ? "" : ` (${severity})`)
const because = (reason: string | null): string => (reason === null ? "" : `: ${reason}`)
