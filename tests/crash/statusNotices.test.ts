/**
 * kill -9 of status-checker while incidents are written to its file and mails go out. No notice may be lost. At most
 * the mails in flight at a kill are sent twice, with the same Message-ID. Real executable, real SMTP.
 * SIGNALBOX_TEST_SEED repeats a run's choices; SIGNALBOX_TEST_LONG=1 kills more often.
 */
import { it } from "@effect/vitest"
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Fiber, Layer } from "effect"
import { realpathSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect } from "vitest"
import { toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import { startFleet } from "#support/Fleet.ts"
import { until } from "#support/Frame.ts"
import * as MailSink from "#support/MailSink.ts"
import { freePort } from "#support/peers/Loopback.ts"
import { freshDatabase, temporaryDirectory } from "#support/Postgres.ts"
import * as Random from "#support/Random.ts"

const long = process.env["SIGNALBOX_TEST_LONG"] === "1"

/** `connections`: concurrent mails, which is also the largest number that one kill can duplicate. */
const layouts = [
  { name: "one process, one mail at a time", units: ["a"], connections: 1, kills: long ? 20 : 4 },
  { name: "two processes, four mails at a time", units: ["a", "b"], connections: 4, kills: long ? 20 : 3 }
] as const

const subscribers = 8

/** Delay of the relay per mail, so that a mail is always in flight. Unit: milliseconds. */
const thinking = 25

/** Interval between two updates of the file. Unit: milliseconds. */
const writeEvery = 600

for (const layout of layouts) {
  it.live(
    `${layout.name}: no notice is lost, and no more sent twice than was in flight`,
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const random = Random.make()
          const sink = yield* MailSink.make({ onRcptTo: (_address, _session, done) => void setTimeout(done, thinking) })
          const notices = () => sink.mails.filter(({ mail }) => mail.messageId?.startsWith("<notice."))
          const database = yield* freshDatabase
          const sql = Context.get(
            yield* Layer.build(
              PgClient.layer({ ...toSqlPg(database.target), applicationName: "test", maxConnections: 1 })
            ),
            PgClient.PgClient
          )
          const dataDir = realpathSync(yield* temporaryDirectory("signalbox-notices"))
          const incidentsFile = join(dataDir, "incidents.json")
          const servicesFile = join(dataDir, "services.json")
          writeFileSync(
            servicesFile,
            JSON.stringify({ components: [{ id: "web", name: "Web", name_en: "Web", container: "web" }] })
          )
          const write = (count: number) => {
            const updates = Array.from({ length: count }, (_, n) => ({
              n,
              at: new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString()
            }))
            writeFileSync(
              `${incidentsFile}.new`,
              JSON.stringify({
                incidents: [0, 1, 2].map((which) => ({
                  id: `i${which}`,
                  title: `Störung ${which}`,
                  title_en: `Incident ${which}`,
                  status: "investigating",
                  severity: "major",
                  components: ["web"],
                  created_at: "2026-01-01T00:00:00Z",
                  resolved_at: null,
                  updates: updates
                    .filter(({ n }) => n % 3 === which)
                    .map(({ at, n }) => ({
                      timestamp: at,
                      status: "investigating",
                      message: `update ${n}.`,
                      message_en: `update ${n}.`
                    }))
                }))
              })
            )
            renameSync(`${incidentsFile}.new`, incidentsFile)
          }
          write(0)
          const units = yield* Effect.forEach(layout.units, (name) =>
            Effect.map(freePort, (port) => ({
              name,
              daemons: ["status-checker"],
              env: { SIGNALBOX_STATUS_CHECKER_PORT: String(port) }
            }))
          )
          const fleet = yield* startFleet({
            units,
            dataDir,
            env: {
              DATABASE_URL: database.url,
              SERVICES_FILE: servicesFile,
              INCIDENTS_FILE: incidentsFile,
              SMTP_HOST: "127.0.0.1",
              SMTP_PORT: String(sink.port),
              MAIL_FROM: "status@example.test",
              SIGNALBOX_STATUS_MAIL_CONNECTIONS: String(layout.connections),
              SIGNALBOX_CONTAINER_SOCKET: join(dataDir, "none.sock")
            }
          })
          yield* until(
            "everything is ready",
            Effect.sync(() => fleet.units.every((unit) => unit.isReady())),
            60
          )
          yield* until(
            "what was there at first is passed over",
            Effect.map(
              sql`select 1 from status_checker.imports where source = 'first start'`,
              (rows) => rows.length > 0
            ),
            30
          )
          const base = () => fleet.units[0]!.addresses()["status-checker"]!
          const people = Array.from({ length: subscribers }, (_, n) => `p${n}@example.test`)
          for (const email of people) {
            const answer = yield* Effect.promise(() =>
              fetch(`${base()}/api/v1/subscribe`, {
                method: "POST",
                headers: { "content-type": "application/json" },
                body: JSON.stringify({ email, lang: "en" })
              })
            )
            expect(answer.status).toBe(202)
          }
          yield* until(
            "all have their confirmation mail",
            Effect.sync(() => sink.mails.length === subscribers),
            30
          )
          for (const { mail } of sink.mails) {
            const { search } = new URL(/https?:\S+\/subscribe\/confirm\S+/.exec(mail.text!)![0])
            yield* Effect.promise(() => fetch(`${base()}/subscribe/confirm${search}`, { method: "POST" }))
          }
          expect(
            yield* sql`select count(*)::int as n from status_checker.subscribers where status = 'confirmed'`
          ).toEqual([{ n: subscribers }])

          let written = 0
          const writing = yield* Effect.forkChild(
            Effect.forever(
              Effect.andThen(
                Effect.sync(() => write(++written)),
                Effect.sleep(writeEvery)
              )
            )
          )
          let kills = 0
          while (kills < layout.kills) {
            // Most kills hit the sending of mails; the others may hit a start.
            if (random.next() < 3 / 4) {
              const before = notices().length
              yield* until(
                "mails go out",
                Effect.sync(() => notices().length > before + 2),
                60
              )
            }
            yield* Effect.sleep(random.between(0, 700))
            // Kills all processes, or one of them.
            const victims =
              random.next() < 1 / 2 ? fleet.units : [fleet.units[Math.floor(random.next() * fleet.units.length)]!]
            for (const unit of victims) {
              yield* until(
                `${unit.name} is there to be killed`,
                Effect.sync(() => unit.kill()),
                60
              )
              kills += 1
            }
          }
          yield* Fiber.interrupt(writing)
          const pairs = written * subscribers
          const seen = () => new Set(notices().map(({ mail, to }) => `${to[0]} ${/update \d+\./.exec(mail.text!)![0]}`))
          // Waits without a total limit, but fails without progress.
          for (let known = seen().size; known < pairs; known = seen().size) {
            yield* until(
              "somebody learns something more",
              Effect.sync(() => seen().size > known),
              45
            ).pipe(
              Effect.onError(() =>
                Effect.sync(() =>
                  process.stdout.write(`seed ${random.seed}: ${known} of ${pairs}\n${fleet.tail(10)}\n`)
                )
              )
            )
          }
          yield* until(
            "the ledger says so",
            Effect.map(sql`select 1 from status_checker.mails where state <> 'delivered'`, (rows) => rows.length === 0),
            60
          )
          const byId = Map.groupBy(notices(), ({ mail }) => mail.messageId!)
          const twice = notices().length - byId.size
          process.stdout.write(
            `notices, ${layout.name}: ${written} updates to ${subscribers} people, ${kills} kills, ${notices().length} mails, ${twice} of them again (seed ${random.seed})\n`
          )
          // Each pair has one Message-ID, and repeated mails are identical.
          expect(byId.size, `seed ${random.seed}`).toBe(pairs)
          for (const again of byId.values())
            expect(new Set(again.map(({ mail, to }) => `${to[0]} ${mail.subject} ${mail.text}`)).size).toBe(1)
          expect(twice, `seed ${random.seed}`).toBeLessThanOrEqual(kills * layout.connections)
          // A process that was just restarted does not listen to SIGTERM yet.
          yield* until(
            "all are ready again",
            Effect.sync(() => fleet.units.every((unit) => unit.isReady())),
            30
          )
          const ends = yield* fleet.stop
          expect(
            ends.map(({ code }) => code),
            fleet.tail()
          ).toEqual(layout.units.map(() => 0))
        })
      ),
    360_000
  )
}
