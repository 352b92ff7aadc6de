/** Measures the time from a bare client's notice of a message to the visible event of mail-watcher. */
import { PgConnection } from "@effect/sql-pg"
import { Effect, Queue } from "effect"
import { setTimeout as sleep } from "node:timers/promises"
import { parse, toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import { figure, type Figure, quantile } from "../Figure.ts"
import { RawImap } from "./RawImap.ts"
import { addressOf, password, rigOf } from "./Rig.ts"

/** Number of timed messages. Reason: with fewer, the p99 is just the slowest one. */
const messages = 100

/** Largest delay over a bare client: median and 99th percentile. Unit: milliseconds. Source: targets of the issue. */
const target = { p50: 5, p99: 20 }

export const latency: Effect.Effect<ReadonlyArray<Figure>> = Effect.orDie(
  Effect.scoped(
    Effect.gen(function* () {
      const { add, dovecot, sql, url, watcher } = yield* rigOf(1)
      yield* watcher
      yield* add(0, 1)
      const raw = yield* Effect.promise(async () => {
        const client = await RawImap.login(dovecot.imapsPort!, dovecot.certificate!, addressOf(0), password)
        await client.ask("SELECT INBOX")
        await client.idle()
        return client
      })
      let heard: number | undefined
      raw.onIdle = (chunk) => {
        if (/^\* \d+ EXISTS\r$/m.test(chunk)) heard ??= performance.now()
      }
      const connection = yield* PgConnection.make({ ...toSqlPg(parsed(url)), applicationName: "bench" })
      const session = yield* connection.pin
      const notifications = yield* session.listen("signalbox")
      let announced: number | undefined
      yield* Effect.forkScoped(
        Effect.forever(
          Effect.map(Queue.takeAll(notifications), (batch) => {
            if (batch.some(({ payload }) => payload === "event")) announced ??= performance.now()
          })
        )
      )
      while (
        (yield* sql<{
          n: number
        }>`select count(*)::int as n from mail_watcher.watch where mode in ('notify', 'idle')`)[0]!.n === 0
      )
        yield* Effect.sleep(50)
      yield* Effect.sleep(2_000)
      const times: Array<number> = []
      for (let index = 0; index < messages; index++) {
        heard = announced = undefined
        yield* dovecot.deliver(
          addressOf(0),
          `From: a@example.test\r\nTo: ${addressOf(0)}\r\nSubject: ${index}\r\nMessage-ID: <${index}@bench.example.test>\r\n\r\ntext\r\n`
        )
        while (heard === undefined || announced === undefined) yield* Effect.promise(() => sleep(2))
        times.push(announced - heard)
        // Dovecot repeats notices of the same message. They must not count for the next one.
        yield* Effect.promise(() => sleep(1_200))
      }
      raw.close()
      const events = (yield* sql<{
        n: number
      }>`select count(*)::int as n from core.event where type = 'mail.new_message'`)[0]!.n
      if (events !== messages) return yield* Effect.die(new Error(`${events} events of ${messages} messages`))
      return [
        figure("mail-watcher: news to event over a bare client, p50", quantile(times, 0.5), "ms", {
          target: target.p50
        }),
        figure("mail-watcher: news to event over a bare client, p99", quantile(times, 0.99), "ms", {
          target: target.p99
        })
      ]
    })
  )
)

const parsed = (url: string) => {
  const result = parse(url)
  if (result._tag === "Failure") throw new Error(String(result.failure))
  return result.success
}
