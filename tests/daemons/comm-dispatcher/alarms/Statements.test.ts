/** The database statements of an alarm, from its trigger to its end: none may be added by accident. */
import { assert, it } from "@effect/vitest"
import { Effect, Tracer } from "effect"
import { runIdOf } from "#daemons/comm-dispatcher/runs/Ledger.ts"
import { enqueue, sender, startDispatcher } from "../Dispatcher.ts"

/** Statements on the way of an alarm. Others belong to polling, to readers of events, or to the test itself. */
const known: ReadonlyArray<readonly [RegExp, string]> = [
  [/^\s*WITH results AS \(\s*UPDATE pgboss\.job_common/, "complete the job"],
  [/pg_advisory_xact_lock\(k\.a, k\.b\)/, "lock the duplicate key"],
  [/encode\(duplicate_key, 'hex'\)/, "find duplicates"],
  [/insert into comm_dispatcher\.run/, "begin the run"],
  [/^\s*WITH ins AS \(\s*INSERT INTO pgboss\.job_common/, "send the delivery"],
  [/insert into comm_dispatcher\.attempt/, "begin the attempt"],
  [/update comm_dispatcher\.attempt/, "record the outcome"],
  [/^with emitted as \(insert into core\.event/, "emit"],
  [/finished_at is null order by id for update/, "lock the run"],
  [/count\(distinct chain\) filter/, "count the targets"],
  [/update comm_dispatcher\.run/, "finish the run"]
]

/** Statements of `GET /api/v1/workflows/runs/{id}`, with which the test waits. */
const view = /r\.seq::float8|case when t\.step > 0/

const labelOf = (statement: string): ReadonlyArray<string> => {
  const label = known.find(([pattern]) => pattern.test(statement))?.[1]
  if (label !== undefined) return [label]
  return /comm_dispatcher\.(run|target|attempt)\b/.test(statement) && !view.test(statement) ? [statement] : []
}

/** A tracer that collects the names of spans, and the text of each statement. */
const collecting = (sent: Array<string>, spans: Set<string>) =>
  Tracer.make({
    span: (options) => {
      spans.add(options.name)
      const span = new Tracer.NativeSpan(options)
      const end = span.end.bind(span)
      span.end = (time, exit) => {
        const text = span.attributes.get("db.query.text")
        if (typeof text === "string") sent.push(text)
        end(time, exit)
      }
      return span
    }
  })

it.live(
  "an alarm with one webhook takes 13 statements, and is traced",
  () => {
    const sent: Array<string> = []
    const spans = new Set<string>()
    return Effect.gen(function* () {
      const { ended, sql, url } = yield* startDispatcher({ minute: 60_000 })
      const alarm = (key: string) =>
        Effect.andThen(
          enqueue(sql, {
            trigger_key: key,
            payload: { email_subject: `INFO:WEBHOOK+${url}/${key}`, email_body: "", email_from: sender }
          }),
          ended(runIdOf(key))
        )
      // The first alarm waits for workers that are still starting.
      yield* alarm("first")
      sent.length = 0
      spans.clear()
      yield* alarm("second")
      assert.deepStrictEqual(sent.flatMap(labelOf), [
        "complete the job",
        "lock the duplicate key",
        "find duplicates",
        "begin the run",
        "send the delivery",
        "begin the attempt",
        "complete the job",
        "record the outcome",
        "emit",
        "lock the run",
        "count the targets",
        "finish the run",
        "emit"
      ])
      // What a trace shows of the alarm: claims, the jobs, the attempt and its delivery.
      assert.includeMembers([...spans], ["job.claim", "job.work", "comm.attempt", "Webhook.deliver"])
    }).pipe(Effect.scoped, Effect.withTracer(collecting(sent, spans)))
  },
  120_000
)
