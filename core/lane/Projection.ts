/**
 * A picture in memory of rows of Postgres, proven fresh: what the hot answers are given from.
 *
 * It does not trust to be told. Whoever asks finds out when the picture was last compared with Postgres; one older than
 * `goodFor` is compared again first, by one statement that reads only what changed, shared by everybody who waits. An
 * announcement (Wake) brings the comparison forward to the same millisecond, and losing it costs nothing but that. So a
 * picture is never older than `goodFor`, however the change came about and whatever was lost on the way; and while
 * Postgres is away there is no answer from it.
 *
 * Rows carry `xid` (see `core.track` in CoreSchema): a comparison reads what was written by transactions that the last
 * one could not see. Rows may come again, in any order among transactions; `apply` keeps the newest by itself.
 */
import { Duration, Effect, Schema, type Scope, Semaphore } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { answerWithin } from "../supervision/AnswerWithin.ts"
import { Wake } from "../events/Wake.ts"

/** How old a picture may be and still answer. Unit: milliseconds. Source: a revocation holds within 1 s everywhere. */
export const goodFor = 900

/** From this age on it is compared in the background, while it still answers. Unit: milliseconds. */
const refreshAfter = 300

/** A picture that nobody asked for so long is not compared because of an announcement. Unit: milliseconds. */
const unaskedFor = 60_000

/**
 * Least time between two comparisons that announcements bring about. Unit: milliseconds. Reason: a storm of events is
 * no storm of comparisons.
 */
const announcedEvery = 25

/**
 * How long Postgres may take. Unit: milliseconds. Reason: who asked is told within a second that there is no answer.
 */
const patience = 800

/** Postgres did not answer in time, so there is nothing that may be said. A retry can help. */
export class NotFresh extends Schema.TaggedError<NotFresh>()("NotFresh", {
  projection: Schema.String,
  detail: Schema.String
}) {
  override get message() {
    return `${this.projection} cannot be compared with the database: ${this.detail}`
  }
}

/** The horizon of the last comparison; undefined before the first. */
export type Since = string | undefined

/** The condition of a source on its table's `xid`. */
export const after = (sql: SqlClient.SqlClient, since: Since): Statement.Fragment =>
  since === undefined ? sql`true` : sql`xid >= ${since}::xid8`

/** One kind of row in the picture. */
export interface Source<Row> {
  /** The rows that `after(sql, since)` asks for, each value as JSON shows it. */
  readonly changed: (since: Since) => Statement.Fragment
  /** Puts rows into the picture; never fails, never waits. */
  apply(rows: ReadonlyArray<Row>): void
}

export interface Projection {
  /**
   * Whether the picture may answer now. Cheap and synchronous; when it is getting old it is compared in the background.
   */
  readonly fresh: () => boolean
  /** The same for those who can wait: when it may not, it is compared first. */
  readonly ensure: Effect.Effect<void, NotFresh>
  /** `ensure` as a promise, for the fast lane. */
  readonly ensurePromise: () => Promise<boolean>
  /** Compares it with what is committed by now: after one's own change, so that it holds here at once. */
  readonly refresh: Effect.Effect<void, NotFresh>
  /** `refresh` as a promise, for the fast lane: whether it succeeded. */
  readonly refreshPromise: () => Promise<boolean>
  /** How old it is. Unit: milliseconds; Infinity before the first comparison. */
  readonly age: () => number
}

export interface Options {
  readonly name: string
  /** Announced by whoever changes the rows. */
  readonly topic: string
  readonly sources: Readonly<Record<string, Source<unknown>>>
  /**
   * How long a comparison may take. Unit: milliseconds. Default: as long as anybody waits for one. The first one, which
   * reads every row, is waited for as long; one after a great change goes on although nobody waits: begun anew each
   * time it would never come to its end.
   */
  readonly longest?: number
}

/** Makes the picture; it is filled at the first question, or by `refresh`. */
export const make = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<Projection, never, SqlClient.SqlClient | Wake | Scope.Scope> {
  const sql = yield* SqlClient.SqlClient
  const wake = yield* Wake
  const scope = yield* Effect.scope
  const names = Object.keys(options.sources)
  let since: Since
  let comparedAt = Number.NEGATIVE_INFINITY
  let askedAt = Number.NEGATIVE_INFINITY
  let underWay: Promise<NotFresh | undefined> | undefined
  let next: Promise<NotFresh | undefined> | undefined

  const statement = () => {
    const columns = names.map(
      (name) =>
        sql`(select coalesce(json_agg(r), '[]') from (${options.sources[name]!.changed(since)}) r) as ${sql(name)}`
    )
    return sql<{ readonly xmin: string } & Readonly<Record<string, ReadonlyArray<unknown>>>>`
      select pg_snapshot_xmin(pg_current_snapshot())::text as xmin, ${sql.csv(columns)}`
  }

  const compare = Effect.gen(function* () {
    // The clock is read before the snapshot can be taken: never younger than it says.
    const begun = performance.now()
    const [found] = yield* statement()
    for (const name of names) options.sources[name]!.apply(found![name] ?? [])
    since = found!.xmin
    comparedAt = begun
  })

  const turns = Semaphore.makeUnsafe(1)
  /**
   * One at a time, also of those that nobody waits for any more: when the server hangs they are not to take all
   * connections.
   */
  const alone = turns.withPermits(1)(compare)

  const longest = options.longest ?? patience

  const tooLate = (milliseconds: number) =>
    new NotFresh({ projection: options.name, detail: `no answer within ${milliseconds} ms` })

  const run = (): Promise<NotFresh | undefined> =>
    Effect.runPromise(
      answerWithin(alone, Duration.millis(longest), () => Effect.fail(tooLate(longest))).pipe(
        Effect.match({
          onFailure: (error: NotFresh | SqlError.SqlError) =>
            error._tag === "NotFresh" ? error : new NotFresh({ projection: options.name, detail: error.message }),
          onSuccess: () => undefined
        })
      )
    )

  /** Whoever only asks shares the comparison under way: it is young enough. */
  const join = (): Promise<NotFresh | undefined> => {
    underWay ??= run().finally(() => {
      underWay = undefined
    })
    return underWay
  }

  /** Whoever changed something needs one that begins after the change; those who wait for the next one share that. */
  const anew = (): Promise<NotFresh | undefined> => {
    if (underWay === undefined) return join()
    next ??= underWay.then(() => {
      next = undefined
      return join()
    })
    return next
  }

  /** Nobody waits for longer than this; the comparison goes on, for those who ask later. */
  const patiently = (begin: () => Promise<NotFresh | undefined>): Promise<NotFresh | undefined> => {
    const allowed = since === undefined ? longest : patience
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => resolve(tooLate(allowed)), allowed)
      begin()
        .then(resolve, reject)
        .finally(() => clearTimeout(timer))
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

  // No actor: this loop cannot fail, and were it to end, the next question would find the picture old and compare it.
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

  return {
    fresh,
    ensure: Effect.suspend(() => (fresh() ? Effect.void : outcome(join))),
    ensurePromise: async () => fresh() || (await patiently(join)) === undefined,
    refresh,
    refreshPromise: async () => (await patiently(anew)) === undefined,
    age: () => performance.now() - comparedAt
  }
})
