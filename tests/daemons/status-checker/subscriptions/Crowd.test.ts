/**
 * One notice to a crowd: everybody once, several at a time, in time that grows with the crowd and no faster.
 * SIGNALBOX_TEST_LONG=1 sends to 10,000 and prints figures.
 */
import { it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { join } from "node:path"
import { expect } from "vitest"
import * as Secrets from "#core/config/Secrets.ts"
import { admit } from "#daemons/status-checker/subscriptions/Subscribers.ts"
import { until } from "#support/Frame.ts"
import * as MailSink from "#support/MailSink.ts"
import { mailRig } from "./MailRig.ts"

const long = process.env["SIGNALBOX_TEST_LONG"] === "1"
const crowd = long ? 10_000 : 300
const connections = 8

it.live(
  `a notice reaches ${crowd} people`,
  () =>
    Effect.gen(function* () {
      const times: Array<number> = []
      const recipients = new Set<string>()
      let open = 0
      let most = 0
      const sink = yield* MailSink.make({
        onConnect: (_session, done) => {
          most = Math.max(most, ++open)
          done()
        },
        onClose: () => void open--,
        onData: (stream, session, done) => {
          stream.resume()
          stream.on("end", () => {
            times.push(performance.now())
            recipients.add(session.envelope.rcptTo[0]!.address)
            done()
          })
        }
      })
      const rig = yield* mailRig({
        sink,
        env: { SIGNALBOX_STATUS_MAIL_CONNECTIONS: String(connections), SIGNALBOX_STATUS_MAIL_RATE: "100000" }
      })
      const services = Layer.merge(
        Layer.succeed(SqlClient.SqlClient, rig.sql),
        Secrets.layer(join(rig.suite.env["SIGNALBOX_DATA_DIR"]!, "keys"))
      )
      const answers = yield* Effect.forEach(
        Array.from({ length: crowd }, (_, n) => n),
        (n) => admit({ email: `P${n}@Example.test`, lang: n % 2 === 0 ? "de" : "en", components: [], confirmed: true }),
        { concurrency: 2 }
      ).pipe(Effect.provide(services))
      expect(new Set(answers)).toEqual(new Set(["added"]))
      expect(
        yield* Effect.provide(
          admit({ email: "p0@example.test", lang: "en", components: null, confirmed: true }),
          services
        )
      ).toBe("known")
      expect(
        yield* Effect.provide(
          admit({ email: "p0 at example", lang: "en", components: null, confirmed: true }),
          services
        )
      ).toBe("invalid")
      const before = process.memoryUsage().rss
      const began = performance.now()
      const used = process.cpuUsage()
      yield* rig.write([{ id: "1", updates: [{ at: "2026-02-01T10:00:00Z" }] }])
      yield* until(
        "all are done",
        Effect.map(
          rig.sql`select count(*)::int as n from status_checker.mails where state = 'delivered'`,
          ([row]) => row!["n"] === crowd
        ),
        long ? 900 : 60
      )
      const { system, user } = process.cpuUsage(used)
      expect(recipients.size).toBe(crowd)
      expect(times.length).toBe(crowd)
      expect(most).toBeGreaterThan(1)
      // One that is closing may still be counted beside its successor.
      expect(most).toBeLessThanOrEqual(2 * connections)
      const [first, second] = [times[crowd / 2 - 1]! - times[0]!, times.at(-1)! - times[crowd / 2]!]
      if (long) expect(second).toBeLessThan(2 * first)
      process.stdout.write(
        `notice to ${crowd}: ${((performance.now() - began) / 1000).toFixed(1)} s, ${Math.round(crowd / ((times.at(-1)! - times[0]!) / 1000))} mails/s by ${connections} connections, ${((system + user) / 1000 / crowd).toFixed(1)} ms of processor a mail (the relay's included), second half ${(second / first).toFixed(2)} of the first, memory +${Math.round((process.memoryUsage().rss - before) / 2 ** 20)} MB\n`
      )
    }),
  long ? 1_200_000 : 120_000
)
