/** Title and missed targets of alarms, for the notification of admins. Runs in the surrounding transaction. */
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { headline } from "../../vocabulary/Exports.ts"
import { maskTargets } from "../subject/MaskTargets.ts"

/** Targets that a notification names. Reason: it is read on a telephone; the alarm's page shows all. */
const namedTargets = 3

/** Longest reason in a notification. Unit: characters. */
const shownReason = 120

/** Beginning of a text that the title is made of. Unit: characters. */
const headLength = 400

export interface Missed {
  readonly title: string
  readonly missed: ReadonlyArray<{ readonly channel: string; readonly target: string; readonly reason: string | null }>
}

interface Row {
  readonly id: string
  readonly head: string
  readonly subject: string
  readonly missed: Missed["missed"]
}

/** A row without secrets: the path of a web address and the digits of a number are masked. Pure. */
export const shownMissed = ({ head, missed, subject }: Omit<Row, "id">): Missed => ({
  title: headline(head) || maskTargets(subject),
  missed: missed.map(({ channel, reason, target }) => ({
    channel,
    target: maskTargets(target),
    reason: reason === null ? null : maskTargets(reason).slice(0, shownReason).toWellFormed()
  }))
})

/** By run. A target whose fallback was reached is not missed. */
export const missedOf = (
  ids: ReadonlyArray<string>
): Effect.Effect<ReadonlyMap<string, Missed>, SqlError.SqlError, SqlClient.SqlClient> =>
  ids.length === 0
    ? Effect.succeed(new Map())
    : Effect.flatMap(SqlClient.SqlClient, (sql) =>
        Effect.map(
          sql<Row>`select r.id::text as id, left(r.body, ${headLength}) as head, r.subject,
              (select coalesce(jsonb_agg(jsonb_build_object('channel', t.channel, 'target', t.target,
                  'reason', t.record->>'reason') order by t.position), '[]')
                from (select t.* from comm_dispatcher.target t where t.run_id = r.id and t.step = 0 and not exists (
                    select 1 from comm_dispatcher.target o where o.run_id = t.run_id and o.chain = t.chain
                      and o.state = 'delivered')
                  order by t.position limit ${namedTargets}) t) as missed
            from comm_dispatcher.run r where r.id = any(${ids}::uuid[])`,
          (rows) => new Map(rows.map(({ id, ...row }) => [id, shownMissed(row)]))
        )
      )
