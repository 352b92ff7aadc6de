/**
 * An in-memory copy of rows of Postgres that is provably fresh; the source of hot answers.
 *
 * The reader checks when the projection was last compared with Postgres. One older than `goodFor` is compared again
 * before the answer, by one statement that reads only changes and is shared by all waiting readers. An announcement
 * (Wake) triggers the comparison earlier; a lost announcement only costs that gain. So an answer is never older than
 * `goodFor`, and while Postgres is away there is none.
 *
 * Rows carry `xid` (see `core.track` in CoreSchema). A comparison reads rows of transactions that the last comparison
 * could not see. Rows may arrive again, in any order of transactions; `apply` keeps the newest.
 */
import { Duration, Effect, Schema, type Scope, Semaphore } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { CurrentDaemon } from "../metrics/CurrentDaemon.ts"
import * as Metrics from "../metrics/Metrics.ts"
import * as Backoff from "../supervision/Backoff.ts"
import { answerWithin, arrivedAnswers } from "../supervision/AnswerWithin.ts"
import { Wake } from "../events/Wake.ts"

/** Maximum age of an answer. Unit: milliseconds. Source: a revocation takes effect within 1 s everywhere. */
export const goodFor = 900

/** Age from which a comparison runs in the background while the projection still answers. Unit: milliseconds. */
const refreshAfter = 300

/** A projection without readers for this long ignores announcements. Unit: milliseconds. */
const unaskedFor = 60_000

/**
 * Minimum interval between two comparisons caused by announcements. Unit: milliseconds. Reason: a storm of events must
 * not become a storm of comparisons.
 */
const announcedEvery = 25

/** Longest wait for Postgres. Unit: milliseconds. Reason: the caller learns within a second that there is no answer. */
const patience = 800

/**
 * Waits of a request that is not on the fast lane. Reason: four seconds. In a storm of alarms the comparison stands
 * behind other statements, and an alarm that is refused must be sent again.
 */
const busyWaits = 5

/**
 * Rows in one message of Postgres. Reason: the client refuses messages above 16 MiB; 100,000 telephone numbers in one
 * message are more.
 */
const partLength = 1_000

/** Postgres did not answer in time, so the projection may not answer. A retry can help. */
export class NotFresh extends Schema.TaggedError<NotFresh>()("NotFresh", {
  projection: Schema.String,
  detail: Schema.String,
  /** Whether Postgres may only be busy: it neither answered nor refused. */
  late: Schema.Boolean
}) {
  override get message() {
    return `${this.projection} cannot be compared with the database: ${this.detail}`
  }
}

/**
 * Oldest transaction id that was still running at the last comparison with Postgres: rows changed since have this id or
 * a later one. Undefined before the first comparison.
 */
export type Since = string | undefined

/** Condition on `xid` that selects the changes of a table. */
export const after = (sql: SqlClient.SqlClient, since: Since): Statement.Fragment =>
  since === undefined ? sql`true` : sql`xid >= ${since}::xid8`

/** One kind of row in the projection. */
export interface Source<Row> {
  /** Selects the rows of `after(sql, since)`; values as JSON shows them. */
  readonly changed: (since: Since) => Statement.Fragment
  /** Applies rows. Never fails, never waits. */
  apply(rows: ReadonlyArray<Row>): void
}

export interface Projection {
  /**
   * Whether the projection may answer now. Cheap and synchronous; starts a background comparison when the copy is
   * aging.
   */
  readonly fresh: () => boolean
  /** Compares the projection first when it may not answer. */
  readonly ensure: Effect.Effect<void, NotFresh>
  /** `ensure` for requests that can wait: for a busy Postgres it waits `busyWaits` times as long. */
  readonly ensureWhenBusy: Effect.Effect<void, NotFresh>
  /** `ensure` as a promise, for the fast lane. */
  readonly ensurePromise: () => Promise<boolean>
  /** Compares the projection with all committed changes, for example after a change of the caller's own. */
  readonly refresh: Effect.Effect<void, NotFresh>
  /** `refresh` for requests that can wait, like `ensureWhenBusy`. */
  readonly refreshWhenBusy: Effect.Effect<void, NotFresh>
  /** `refresh` as a promise, for the fast lane; true on success. */
  readonly refreshPromise: () => Promise<boolean>
  /** Time since the last comparison. Unit: milliseconds; Infinity before the first one. */
  readonly age: () => number
}

export interface Options {
  readonly name: string
  /** Topic that writers of these rows announce. */
  readonly topic: string
  readonly sources: Readonly<Record<string, Source<unknown>>>
  /**
   * Longest comparison. Unit: milliseconds. Default: the longest wait of a reader. Set it where the first comparison,
   * or one after a large change, takes longer: it then continues without waiting readers instead of starting over.
   */
  readonly longest?: number
}

const ages = Metrics.gauge("projection_age_seconds", {
  help: "Time since a copy of rows was last compared with the database. Grows while nobody asks the copy.",
  labels: ["daemon", "projection"]
})
const comparisons = Metrics.counter("projection_comparisons_total", {
  help: "Comparisons of copies with the database, by daemon, copy and outcome: done, late or failed.",
  labels: ["daemon", "projection", "outcome"]
})

/** Creates the projection. It is filled at the first question or by `refresh`. */
export const make = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<Projection, never, SqlClient.SqlClient | Wake | Scope.Scope> {
  const sql = yield* SqlClient.SqlClient
  const wake = yield* Wake
  const scope = yield* Effect.scope
  const its = { daemon: yield* CurrentDaemon, projection: options.name }
  const names = Object.keys(options.sources)
  let since: Since
  let comparedAt = Number.NEGATIVE_INFINITY
  let askedAt = Number.NEGATIVE_INFINITY
  let underWay: Promise<NotFresh | undefined> | undefined
  let next: Promise<NotFresh | undefined> | undefined

  const statement = () => {
    const parts = names.map((name) => {
      const changed = options.sources[name]!.changed(since)
      return sql`select ${name} as source, json_agg(part) as rows from
        (select r as part, (row_number() over () - 1) / ${partLength} as number from (${changed}) r) p group by number`
    })
    // One statement, so that all parts show the same moment.
    return sql<{ readonly source: string | null; readonly rows: ReadonlyArray<unknown>; readonly xmin: string | null }>`
      select null as source, null as rows, pg_snapshot_xmin(pg_current_snapshot())::text as xmin
      ${sql.join(" ", false)(parts.map((part) => sql`union all select *, null from (${part}) s`))}`
  }

  const compare = Effect.gen(function* () {
    // The clock is read before the snapshot, so the projection never claims to be younger than it is.
    const begun = performance.now()
    const found = Map.groupBy(yield* statement(), ({ source }) => source)
    for (const name of names) options.sources[name]!.apply((found.get(name) ?? []).flatMap(({ rows }) => rows))
    since = found.get(null)![0]!.xmin!
    comparedAt = begun
  })

  const turns = Semaphore.makeUnsafe(1)
  /** One comparison at a time, abandoned ones included, so a hanging server does not take all connections. */
  const alone = turns.withPermits(1)(compare)

  const longest = options.longest ?? patience

  const done = comparisons.of({ ...its, outcome: "done" })
  const removeAge = ages.read(its, () => (performance.now() - comparedAt) / 1_000)
  yield* Effect.addFinalizer(() => Effect.sync(removeAge))

  const tooLate = (milliseconds: number) =>
    new NotFresh({ projection: options.name, detail: `no answer within ${milliseconds} ms`, late: true })

  const run = (): Promise<NotFresh | undefined> =>
    Effect.runPromise(
      answerWithin(alone, Duration.millis(longest), () => Effect.fail(tooLate(longest))).pipe(
        Effect.match({
          onFailure: (error: NotFresh | SqlError.SqlError) => {
            const late = error._tag === "NotFresh"
            comparisons.add({ ...its, outcome: late ? "late" : "failed" })
            return late ? error : new NotFresh({ projection: options.name, detail: error.message, late: false })
          },
          onSuccess: () => {
            done.add()
            return undefined
          }
        })
      )
    )

  /** Readers share the running comparison, which is young enough for them. */
  const join = (): Promise<NotFresh | undefined> => {
    underWay ??= run().finally(() => {
      underWay = undefined
    })
    return underWay
  }

  /**
   * `join` for a reader. A comparison that was under way for long shows an old state; then one more is needed, which is
   * short because it reads only what has changed since.
   */
  const joinYoung = async (): Promise<NotFresh | undefined> => {
    const failure = await join()
    return failure === undefined && performance.now() - comparedAt >= goodFor ? join() : failure
  }

  /** After a change a comparison is needed that starts later; callers that wait for the next one share it. */
  const anew = (): Promise<NotFresh | undefined> => {
    if (underWay === undefined) return join()
    next ??= underWay.then(() => {
      next = undefined
      return join()
    })
    return next
  }

  /** Bounds the wait; the comparison continues for later readers. */
  const patiently = (begin: () => Promise<NotFresh | undefined>): Promise<NotFresh | undefined> => {
    const allowed = since === undefined ? longest : patience
    return new Promise((resolve, reject) => {
      let isOver = false
      const giveUp = async () => {
        await arrivedAnswers(() => isOver)
        resolve(tooLate(allowed))
      }
      const timer = setTimeout(() => void giveUp(), allowed)
      begin()
        .then(resolve, reject)
        .finally(() => {
          isOver = true
          clearTimeout(timer)
        })
    })
  }

  const outcome = (begin: () => Promise<NotFresh | undefined>) =>
    Effect.flatMap(
      Effect.promise(() => patiently(begin)),
      (failure) => (failure === undefined ? Effect.void : Effect.fail(failure))
    )

  const refresh = outcome(anew)

  const fresh = () => {
    askedAt = performance.now()
    const age = askedAt - comparedAt
    if (age > refreshAfter) void join()
    return age < goodFor
  }

  // Not an actor: this loop cannot fail. Without it, the next question would find the projection old and compare it.
  const wakeup = yield* wake.subscribe(options.topic)
  yield* Effect.forkIn(
    Effect.forever(
      Effect.andThen(
        wakeup.wait(Duration.minutes(5)),
        Effect.suspend(() =>
          performance.now() - askedAt < unaskedFor
            ? Effect.andThen(Effect.ignore(refresh), Effect.sleep(announcedEvery))
            : Effect.void
        )
      )
    ),
    scope
  )

  const ensure = Effect.suspend(() => (fresh() ? Effect.void : outcome(joinYoung)))
  const whenBusy = (look: Effect.Effect<void, NotFresh>) =>
    Effect.retry(look, { times: busyWaits - 1, while: ({ late }) => late })

  return {
    fresh,
    ensure,
    ensureWhenBusy: whenBusy(ensure),
    ensurePromise: async () => fresh() || (await patiently(joinYoung)) === undefined,
    refresh,
    refreshWhenBusy: whenBusy(refresh),
    refreshPromise: async () => (await patiently(anew)) === undefined,
    age: () => performance.now() - comparedAt
  }
})

/**
 * Repeats `refresh` until it succeeds. For loops that follow announcements. A change is announced once, and Postgres
 * may be too busy to answer at that moment.
 */
export const untilCompared = ({ refresh }: Projection): Effect.Effect<void> =>
  Effect.orDie(Effect.retry(refresh, Backoff.schedule(Backoff.eager)))
