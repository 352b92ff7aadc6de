/** Statements of messages and deliveries. */
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Outcome } from "./DeliveryDecision.ts"
import type { Delivery, Message } from "./Messages.ts"
import { directWays } from "./Words.ts"

/** Maximum number of deliveries that a process sends at the same time. Reason: each may wait for a silent receiver. */
export const mostInFlight = 20

/**
 * Age of a claim whose process is taken for dead. Unit: seconds. Reason: longer than the longest attempt, 60 s of a
 * mail relay.
 */
const claimAge = 150

/** A delivery with its message. */
export interface Due extends Delivery {
  readonly message: Message
}

interface Row extends Omit<Delivery, "nextAt" | "sentAt"> {
  readonly nextAt: number
  readonly sentAt: number | null
  readonly kind: Message["kind"]
  readonly group: string
  readonly content: Message["content"]
  readonly createdAt: number
}

const dueOf = ({ content, createdAt, group, kind, ...delivery }: Row): Due => ({
  ...delivery,
  message: { id: delivery.messageId, kind, group, content, createdAt, alerts: [] }
})

/** Stores a message with its deliveries. A second time it changes only deliveries that are not sent. */
export const add = Effect.fnUntraced(function* (message: Message, deliveries: ReadonlyArray<Delivery>) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  yield* sql`insert into watchdog.alert_message (id, kind, cause, content, created_at)
    values (${message.id}, ${message.kind}, ${message.group}, ${pg.json(message.content)},
      ${new Date(message.createdAt)}) on conflict (id) do nothing`
  if (message.alerts.length > 0) {
    yield* sql`insert into watchdog.alert_told (alert_id, message_id, kind, number)
      select t.id::uuid, ${message.id}, ${message.kind}, t.number::int
        from jsonb_to_recordset(${pg.json(message.alerts)}) as t (id text, number int)
        where exists (select from watchdog.alert a where a.id = t.id::uuid)
      on conflict do nothing`
  }
  for (const { attempts, nextAt, problem, sentAt, state, target, way } of deliveries) {
    yield* sql`insert into watchdog.alert_delivery as d (message_id, way, target, state, attempts, next_at, sent_at,
        problem)
      values (${message.id}, ${way}, ${target}, ${state}, ${attempts}, ${new Date(nextAt)},
        ${sentAt === null ? null : new Date(sentAt)}, ${problem})
      on conflict (message_id, way, target) do update set state = excluded.state, attempts = excluded.attempts,
        next_at = excluded.next_at, sent_at = excluded.sent_at, problem = excluded.problem
        where d.state <> 'sent'`
  }
})

/**
 * Claims due deliveries of the direct ways for `process`. The messages of a group leave in order by each way. A claim
 * of this process that is not in `inFlight` was interrupted before its attempt.
 */
export const claim = Effect.fnUntraced(function* (process: string, limit: number, inFlight: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<Row>`with due as (
      select d.message_id, d.way, d.target from watchdog.alert_delivery d
        join watchdog.alert_message m on m.id = d.message_id
        where d.way = any(${[...directWays]}::text[])
          and (d.state = 'pending' and d.next_at <= now()
            or d.state = 'sending' and (d.claimed_at < now() - make_interval(secs => ${claimAge})
              or d.claimed_by = ${process}))
          and not (d.message_id::text || ' ' || d.way || ' ' || d.target = any(${inFlight}::text[]))
          and not exists (select from watchdog.alert_delivery e join watchdog.alert_message n on n.id = e.message_id
            where e.way = d.way and e.target = d.target and n.cause = m.cause and n.seq < m.seq
              and e.state in ('pending', 'sending'))
        order by m.seq limit ${limit} for update of d skip locked)
    update watchdog.alert_delivery d set state = 'sending', claimed_at = now(), claimed_by = ${process},
      attempts = d.attempts + 1
      from due, watchdog.alert_message m
      where d.message_id = due.message_id and d.way = due.way and d.target = due.target and m.id = d.message_id
      returning d.message_id as "messageId", d.way, d.target, d.state, d.attempts,
        (extract(epoch from d.next_at) * 1000)::float8 as "nextAt",
        (extract(epoch from d.sent_at) * 1000)::float8 as "sentAt", d.problem, m.kind, m.cause as "group", m.content,
        (extract(epoch from m.created_at) * 1000)::float8 as "createdAt"`
  return rows.map(dueOf)
})

/** Makes claims of `process` due again, except those in `kept`. Their attempts were not begun. */
export const giveBack = Effect.fnUntraced(function* (process: string, kept: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update watchdog.alert_delivery set state = 'pending', attempts = attempts - 1, claimed_at = null,
    claimed_by = null
    where state = 'sending' and claimed_by = ${process}
      and not (message_id::text || ' ' || way || ' ' || target = any(${kept}::text[]))`
})

/** Makes one claim of `process` due again. A repetition of its attempt is harmless, or the attempt was not begun. */
export const giveBackOne = Effect.fnUntraced(function* (process: string, { messageId, target, way }: Delivery) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update watchdog.alert_delivery set state = 'pending', attempts = attempts - 1, claimed_at = null,
    claimed_by = null
    where state = 'sending' and claimed_by = ${process} and message_id = ${messageId} and way = ${way}
      and target = ${target}`
})

/** Deliveries that are not finished: of the direct ways, or of those that need Postgres. */
export const unfinished = Effect.fnUntraced(function* (direct: boolean, limit: number) {
  const sql = yield* SqlClient.SqlClient
  const ways = direct ? [...directWays] : ["app", "alarm"]
  const rows = yield* sql<Row>`select d.message_id as "messageId", d.way, d.target, d.state, d.attempts,
      (extract(epoch from d.next_at) * 1000)::float8 as "nextAt",
      (extract(epoch from d.sent_at) * 1000)::float8 as "sentAt", d.problem, m.kind, m.cause as "group", m.content,
      (extract(epoch from m.created_at) * 1000)::float8 as "createdAt"
    from watchdog.alert_delivery d join watchdog.alert_message m on m.id = d.message_id
    where d.way = any(${ways}::text[]) and d.state in ('pending', 'sending')
    order by m.seq limit ${limit}`
  return rows.map(dueOf)
})

/** Whether another way or target has accepted the message. */
export const sentElsewhere = Effect.fnUntraced(function* ({ messageId, target, way }: Delivery) {
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql`select from watchdog.alert_delivery where message_id = ${messageId} and state = 'sent'
    and (way <> ${way} or target <> ${target}) limit 1`
  return found.length > 0
})

/** Records the outcome of an attempt. */
export const record = Effect.fnUntraced(function* (
  { messageId, target, way }: Pick<Delivery, "messageId" | "way" | "target">,
  outcome: Outcome,
  now: number
) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update watchdog.alert_delivery set state = ${outcome.state}, claimed_at = null, claimed_by = null,
    sent_at = ${outcome.state === "sent" ? new Date(now) : null},
    problem = ${outcome.state === "sent" ? null : outcome.problem},
    next_at = ${outcome.state === "pending" ? new Date(outcome.nextAt) : new Date(now)}
    where message_id = ${messageId} and way = ${way} and target = ${target} and state <> 'sent'`
})
