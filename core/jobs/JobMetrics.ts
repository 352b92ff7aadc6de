/** Metrics of jobs: what the workers of this process do, and what waits in their queues. */
import { Effect, type Scope } from "effect"
import type { SqlClient } from "effect/sql"
import * as Metrics from "../metrics/Metrics.ts"
import { collector } from "../metrics/Scrape.ts"
import { depths } from "./JobTables.ts"

const labels = ["daemon", "queue"] as const

const ended = Metrics.counter("jobs_total", {
  help: "Jobs that a worker ended, by daemon, queue and outcome: done, or back in the queue.",
  labels: [...labels, "outcome"]
})
const inWork = Metrics.gauge("jobs_in_work", { help: "Jobs that the worker of this process handles now.", labels })
const waiting = Metrics.gauge("jobs_waiting", {
  help: "Jobs that wait in a queue of the fleet: due now, or due later.",
  labels: [...labels, "due"]
})
const oldest = Metrics.gauge("job_oldest_age_seconds", {
  help: "How long the oldest due job of a queue has waited; 0 when none is due.",
  labels
})

/** Queues with a worker in this process, with the daemon of the worker. */
type Working = Map<string, string>

/** The queues whose depths `collect` reads. */
export const make = (sql: SqlClient.SqlClient): Effect.Effect<Working, never, Scope.Scope> =>
  Effect.gen(function* () {
    const working: Working = new Map()
    yield* collector({
      daemon: "core",
      name: "jobs",
      collect: Effect.gen(function* () {
        const found = new Map((yield* depths(sql, [...working.keys()])).map((depth) => [depth.queue, depth]))
        const all = Array.from(working, ([queue, daemon]) => ({ daemon, queue }))
        waiting.setAll(
          all.flatMap((its) => [
            [{ ...its, due: "now" }, found.get(its.queue)?.due ?? 0],
            [{ ...its, due: "later" }, found.get(its.queue)?.later ?? 0]
          ])
        )
        oldest.setAll(all.map((its) => [its, Math.max(0, found.get(its.queue)?.oldest ?? 0)]))
      }),
      clear: () => [waiting, oldest].forEach((gauge) => gauge.setAll([]))
    })
    return working
  })

/** Metrics of one worker until the scope ends. `size`: jobs in work. Returns the counts of ended jobs. */
export const ofWorker = (
  working: Working,
  its: { readonly daemon: string; readonly queue: string },
  size: () => number
): Effect.Effect<{ readonly done: Metrics.Count; readonly back: Metrics.Count }, never, Scope.Scope> =>
  Effect.as(
    Effect.acquireRelease(
      Effect.sync(() => {
        working.set(its.queue, its.daemon)
        return inWork.read(its, size)
      }),
      (remove) =>
        Effect.sync(() => {
          working.delete(its.queue)
          remove()
        })
    ),
    { done: ended.of({ ...its, outcome: "done" }), back: ended.of({ ...its, outcome: "back" }) }
  )
