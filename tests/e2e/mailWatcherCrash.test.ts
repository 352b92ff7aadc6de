/**
 * mail-watcher as a process that is killed at random moments, also during its start. Mail arrives all the time:
 * deliveries, mails in other folders, and mails that are moved at once. Every message must be announced exactly once.
 * 100 messages; 1,000 in the long run.
 */
import { PgClient } from "@effect/sql-pg"
import { it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer } from "effect"
import { realpathSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect } from "vitest"
import { toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import { startFleet } from "#support/Fleet.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import * as Dovecot from "#support/peers/Dovecot.ts"
import { freshDatabase, temporaryDirectory } from "#support/Postgres.ts"
import { eventually } from "#support/Processes.ts"
import { make as makeRandom } from "#support/Random.ts"
import type { TestSuite } from "#support/TestSuite.ts"
import { ImapFlow } from "imapflow"
import { addAccount, password } from "../daemons/mail-watcher/Watcher.ts"
import { mail } from "../daemons/mail-watcher/mailbox-watch/Watched.ts"

const long = process.env["SIGNALBOX_TEST_LONG"] === "1"
const messages = long ? 1_000 : 100
const addresses = ["ann@example.test", "ben@example.test", "cid@example.test"]

/**
 * Average time between two messages. Unit: milliseconds. Reason: a killed process works again after about 8 s, so this
 * gives three kills, and thirty in the long run.
 */
const pause = 250

/** Longest wait for the last messages after the last kill. Unit: milliseconds. */
const settleTimeout = 60_000

describePeers(["dovecot"], "mail-watcher, killed", () => {
  it.live(
    `tells of each of ${messages} messages exactly once`,
    () =>
      Effect.gen(function* () {
        const random = makeRandom()
        const dovecot = yield* Dovecot.make({ users: addresses.map((address) => ({ address, password })), tls: true })
        yield* dovecot.start
        const database = yield* freshDatabase
        const dataDir = realpathSync(yield* temporaryDirectory("signalbox-crash"))
        const ca = join(dataDir, "ca.pem")
        writeFileSync(ca, dovecot.certificate!)
        const sql = Context.get(
          yield* Layer.build(
            PgClient.layer({ ...toSqlPg(database.target), applicationName: "test", maxConnections: 2 })
          ),
          PgClient.PgClient
        )
        const fleet = yield* startFleet({
          units: [{ name: "mail-watcher", daemons: ["mail-watcher"] }],
          dataDir,
          env: {
            DATABASE_URL: database.url,
            SIGNALBOX_MAIL_WATCHER_PORT: "0",
            SIGNALBOX_MAIL_CA: ca,
            SIGNALBOX_MAIL_ALLOW_CIDRS: "127.0.0.0/8"
          },
          restartDelay: () => random.between(50, 300)
        })
        const unit = fleet.unit("mail-watcher")
        const patiently = <A>(
          what: string,
          look: Effect.Effect<A | false, any>,
          timeout = settleTimeout
        ): Effect.Effect<A> =>
          Effect.gen(function* () {
            const deadline = Date.now() + timeout
            while (Date.now() < deadline) {
              const seen = yield* Effect.orDie(look)
              if (seen !== false) return seen
              yield* Effect.sleep(50)
            }
            return yield* Effect.die(
              new Error(`not within ${timeout} ms (seed ${random.seed}): ${what}\n${fleet.tail(30)}`)
            )
          })
        yield* eventually("it is ready", () => unit.isReady(), 60)
        const placed = { dovecot, suite: { sql, env: { SIGNALBOX_DATA_DIR: dataDir } } as unknown as TestSuite }
        for (const address of addresses) yield* addAccount(placed, { address, tenant: 7, watch: "always" })
        yield* patiently(
          "all are looked at",
          Effect.map(
            sql`select 1 from mail_watcher.watch where first_look_at is not null`,
            (rows) => rows.length === addresses.length
          )
        )

        // A client in each mailbox that moves new mails.
        const clients = new Map(
          yield* Effect.forEach(addresses, (address) =>
            Effect.acquireRelease(
              Effect.promise(async () => {
                const client = new ImapFlow({
                  host: "127.0.0.1",
                  port: dovecot.imapPort,
                  secure: false,
                  logger: false,
                  doSTARTTLS: false,
                  auth: { user: address, pass: password }
                })
                client.on("error", () => {})
                await client.connect()
                await client.mailboxCreate("Work")
                await client.mailboxOpen("INBOX")
                return [address, client] as const
              }),
              ([, client]) => Effect.sync(() => client.close())
            )
          )
        )
        let sent = 0
        const sending = yield* Effect.forkScoped(
          Effect.gen(function* () {
            while (sent < messages) {
              const address = addresses[Math.floor(random.next() * addresses.length)]!
              const client = clients.get(address)!
              const subject = `n${sent}`
              if (random.next() < 0.2) yield* Effect.promise(() => client.append("Work", mail(subject)))
              else yield* dovecot.deliver(address, mail(subject))
              sent += 1
              if (random.next() < 0.1)
                yield* Effect.promise(() =>
                  client.messageMove(`${Math.ceil(random.next() * 5)}`, "Work").catch(() => undefined)
                )
              yield* Effect.sleep(random.between(0, 2 * pause))
            }
          })
        )
        let kills = 0
        let killedAt = new Date(0)
        const killing = Effect.gen(function* () {
          while (sent < messages) {
            // Two kills in three hit the normal work, the others any part of the start.
            if (random.next() < 2 / 3)
              yield* patiently(
                "one is watched",
                Effect.map(
                  sql`select 1 from mail_watcher.watch where mode = 'notify' and since > ${killedAt}`,
                  (rows) => rows.length > 0
                )
              )
            yield* Effect.sleep(random.between(0, 2_000))
            if (unit.kill()) kills += 1
            killedAt = new Date()
          }
        })
        yield* killing
        yield* Fiber.join(sending)
        const told = Effect.map(
          sql<{
            subject: string
          }>`select data->'message'->>'subject' as subject from core.event where type = 'mail.new_message'`,
          (rows) => rows.map(({ subject }) => subject)
        )
        yield* patiently(
          "all are told of",
          Effect.map(told, (all) => new Set(all).size === messages)
        )
        // A duplicate announcement would come with the next scan, so the process is killed once more.
        unit.kill()
        kills += 1
        const before = yield* sql<{ at: Date }>`select max(since) as at from mail_watcher.watch`
        yield* patiently(
          "all are watched again",
          Effect.map(
            sql`select 1 from mail_watcher.watch where mode = 'notify' and since > ${before[0]!.at}`,
            (rows) => rows.length === addresses.length
          )
        )
        const all = yield* told
        process.stdout.write(
          `mail-watcher: ${kills} kills, ${messages} messages, ${all.length} told, ${messages - new Set(all).size} missed, ${all.length - new Set(all).size} doubled\n`
        )
        expect(all.toSorted(), `seed ${random.seed}`).toEqual(
          Array.from({ length: messages }, (_, index) => `n${index}`).toSorted()
        )
      }),
    long ? 900_000 : 180_000
  )
})
