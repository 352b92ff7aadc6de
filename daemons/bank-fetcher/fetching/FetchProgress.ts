/**
 * Records the progress and the end of fetches. Each function is one short transaction. The job that began the latest
 * attempt owns the fetch; another job, or the same job in another process later, makes its writes fail (`Superseded`).
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, Random, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { FetchFailed } from "#core/contracts/Bank.ts"
import { Events } from "#core/events/Events.ts"
import { Wake } from "#core/events/Wake.ts"
import type { ClaimedJob } from "#core/jobs/Jobs.ts"
import { transaction } from "#core/sql/Sql.ts"
import { afterFailure, type Failure } from "./FetchDecision.ts"
import { enqueue, fetchFields, type FetchRow, type Order } from "./FetchStore.ts"

/** Topic that wakes the schedules after a change of an account or of its state. Also named in migration 5. */
export const accountTopic = "bank accounts"

/** Another job has taken the fetch, or it has ended. */
export class Superseded extends Schema.TaggedError<Superseded>()("Superseded", { fetch: Schema.String }) {
  override get message() {
    return `fetch ${this.fetch} is no longer run by this job`
  }
}

/** One attempt of a fetch. */
export interface Attempt {
  readonly fetch: FetchRow
  readonly job: ClaimedJob<unknown>
}

/** Pause of a fetch whose account is busy with another fetch. Unit: seconds. */
const busyPause = 2

/** Pause before the keys are looked for again. Unit: minutes. Reason: a person enters the passphrase and waits. */
const lockedPause = 0.25

/** Text of a fetch that waits for the passphrase. */
const waitsForPassphrase = "The keys of the account wait for their passphrase."

/**
 * Begins an attempt. Undefined: there is nothing to do now, because the fetch has ended, waits for a later job, or the
 * account is busy with another fetch.
 */
export const begin = (job: ClaimedJob<{ readonly fetch_id: string }>) =>
  transaction(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const id = job.data.fetch_id
      // The lock comes first: a statement sees only what was committed before it began.
      yield* sql`select pg_advisory_xact_lock(hashtextextended('bank_fetcher fetch ' || account_id, 0))
        from bank_fetcher.fetch where id = ${id}`
      const [fetch] = yield* sql<FetchRow & { account_busy: boolean; mine: boolean | null }>`
        select ${fetchFields(sql)}, job_id = ${job.id} as mine,
            exists (select 1 from bank_fetcher.fetch o where o.account_id = f.account_id and o.id <> f.id
              and o.state = 'running') as account_busy
          from bank_fetcher.fetch f where id = ${id}`
      if (fetch === undefined) return undefined
      const isDue = fetch.state === "waiting" || (fetch.state === "running" && fetch.mine === true)
      if (!isDue) return undefined
      if (fetch.account_busy) {
        yield* sql`update bank_fetcher.fetch set retry_at = null where id = ${id} and state = 'waiting'`
        yield* enqueue(fetch, new Date(Date.now() + busyPause * 1000))
        yield* job.complete
        return undefined
      }
      const [begun] = yield* sql<FetchRow>`update bank_fetcher.fetch
        set state = 'running', attempts = attempts + 1, job_id = ${job.id}, retry_at = null
        where id = ${id} and (state = 'running' or retry_at is null or retry_at <= now() + interval '1 second')
        returning ${fetchFields(sql)}`
      return begun === undefined ? undefined : ({ fetch: begun, job } satisfies Attempt)
    })
  )

/** Runs a change of the fetch while this attempt still owns it. */
const ours = <A, E, R>({ fetch, job }: Attempt, change: Effect.Effect<A, E, R>) =>
  transaction(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const held = yield* sql`select 1 from bank_fetcher.fetch where id = ${fetch.id} and state = 'running'
        and job_id = ${job.id} and attempts = ${fetch.attempts} for update`
      if (held.length === 0) return yield* new Superseded({ fetch: fetch.id })
      return yield* change
    })
  )

/** Records how far the order types are. */
export const progressed = (attempt: Attempt, orders: ReadonlyArray<Order>) =>
  ours(
    attempt,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const pg = yield* PgClient.PgClient
      yield* sql`update bank_fetcher.fetch set orders = ${pg.json(orders)}::jsonb where id = ${attempt.fetch.id}`
    })
  )

/** Ends the fetch with success, and with it an outage of the account. */
export const succeeded = (attempt: Attempt, isNew: boolean, problem: string | null) =>
  ended(
    attempt,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { account_id, id, tenant_id } = attempt.fetch
      yield* sql`update bank_fetcher.fetch set state = ${isNew ? "done" : "empty"}, problem = ${problem},
        finished_at = now() where id = ${id}`
      yield* sql`insert into bank_fetcher.fetch_state (account_id, tenant_id, last_success)
        values (${account_id}, ${tenant_id}, now())
        on conflict (account_id) do update set failures = 0, since = null, announced = false, locked_since = null,
          retry_at = null, last_problem = null, last_success = now()`
    })
  )

/** Ends a fetch that the account does not allow. It is no failure of the bank. */
export const refused = (attempt: Attempt, problem: string) =>
  ended(
    attempt,
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`update bank_fetcher.fetch set state = 'failed', problem = ${problem}, finished_at = now()
        where id = ${attempt.fetch.id}`
    )
  )

/** Lets the fetch wait for the passphrase. It is no failure and no attempt. */
export const locked = (attempt: Attempt, minute: number) =>
  ended(
    attempt,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { account_id, tenant_id } = attempt.fetch
      yield* sql`update bank_fetcher.fetch set attempts = attempts - 1 where id = ${attempt.fetch.id}`
      yield* (yield* isReplaced(attempt.fetch))
        ? giveUp(attempt.fetch, waitsForPassphrase)
        : pause(attempt.fetch, lockedPause * minute, waitsForPassphrase)
      yield* sql`insert into bank_fetcher.fetch_state (account_id, tenant_id, locked_since)
        values (${account_id}, ${tenant_id}, now())
        on conflict (account_id) do update set locked_since = coalesce(fetch_state.locked_since, now())`
    })
  )

/** Records a failed attempt, and what follows from it. */
export const failed = (attempt: Attempt, failure: Failure, minute: number) =>
  ended(
    attempt,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { account_id, id, reason, tenant_id } = attempt.fetch
      const [before] = yield* sql<{ failures: number; announced: boolean; age: number }>`
        select coalesce(s.failures, 0) as failures, coalesce(s.announced, false) as announced,
            extract(epoch from now() - f.created_at)::float8 * 1000 as age
          from bank_fetcher.fetch f left join bank_fetcher.fetch_state s on s.account_id = f.account_id
          where f.id = ${id}`
      const verdict = afterFailure(failure, {
        reason,
        ...before!,
        superseded: yield* isReplaced(attempt.fetch),
        minute,
        random: yield* Random.next
      })
      const retryAt =
        verdict.pause === null
          ? yield* giveUp(attempt.fetch, failure.problem)
          : yield* pause(attempt.fetch, verdict.pause, failure.problem)
      if (!failure.outage) return
      const [state] = yield* sql<{ since: Date }>`
        insert into bank_fetcher.fetch_state as s
            (account_id, tenant_id, failures, since, announced, retry_at, last_problem)
          values (${account_id}, ${tenant_id}, ${verdict.failures}, now(), ${verdict.announce}, ${retryAt},
            ${failure.problem})
          on conflict (account_id) do update set failures = excluded.failures,
            since = coalesce(s.since, excluded.since), announced = s.announced or excluded.announced,
            locked_since = null, retry_at = excluded.retry_at, last_problem = excluded.last_problem
          returning since`
      if (verdict.announce) yield* announce(attempt.fetch, failure, state!.since)
    })
  )

/** Ends the attempt: the change, the end of its job and the wake-up of the schedules in one transaction. */
const ended = <A, E, R>(attempt: Attempt, change: Effect.Effect<A, E, R>) =>
  ours(
    attempt,
    Effect.gen(function* () {
      yield* change
      yield* Effect.flatMap(Wake, (wake) => wake.announce(accountTopic))
      yield* attempt.job.complete
    })
  )

/** Whether a later fetch of the same schedule waits. */
const isReplaced = ({ account_id, reason, seq }: FetchRow) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    reason === "manual"
      ? Effect.succeed(false)
      : Effect.map(
          sql`select 1 from bank_fetcher.fetch
            where account_id = ${account_id} and reason = ${reason} and state = 'waiting' and seq > ${seq} limit 1`,
          (found) => found.length > 0
        )
  )

const giveUp = ({ id }: FetchRow, problem: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.as(
      sql`update bank_fetcher.fetch set state = 'failed', problem = ${problem}, finished_at = now() where id = ${id}`,
      null
    )
  )

/** Lets the fetch wait. Unit of `milliseconds`. Returns the time of the next attempt by the clock of Postgres. */
const pause = Effect.fnUntraced(function* (fetch: FetchRow, milliseconds: number, problem: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ retry_at: Date }>`update bank_fetcher.fetch set state = 'waiting', problem = ${problem},
      retry_at = now() + make_interval(secs => ${milliseconds / 1000}) where id = ${fetch.id} returning retry_at`
  yield* enqueue(fetch, row!.retry_at)
  return row!.retry_at
})

const announce = Effect.fnUntraced(function* (
  { account_id, id, tenant_id }: FetchRow,
  { code, problem }: Failure,
  since: Date
) {
  const sql = yield* SqlClient.SqlClient
  const events = yield* Events
  const [account] = yield* sql<{ name: string; iban: string }>`
    select name, iban from bank_fetcher.account where id = ${account_id}`
  if (account === undefined) return
  const data = { account_id, tenant_id, account: account.name, iban: account.iban, fetch_id: id, problem, code }
  yield* events.emit(FetchFailed, "bank-fetcher", { ...data, since: since.toISOString() }, { tenantId: tenant_id })
})
