/**
 * kill -9 of the processes and restarts of Postgres between every two steps from the bank to the payment: download,
 * storing, receipt, reading, matching. No transaction may be lost or counted twice, and the bank may get no receipt for
 * data that is not durable. `SIGNALBOX_TEST_LONG=1`: 1,000 transactions and every kind of strike at every moment.
 */
import { it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { realpathSync } from "node:fs"
import { expect } from "vitest"
import * as ServiceTokenStore from "#core/auth/ServiceTokenStore.ts"
import { camt053 } from "#support/bank/StatementFiles.ts"
import { startFleet } from "#support/Fleet.ts"
import { client } from "#support/Frame.ts"
import { freePort } from "#support/peers/Loopback.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import * as Random from "#support/Random.ts"
import * as RestartablePostgres from "#support/RestartablePostgres.ts"
import { untilWithin } from "#support/Within.ts"
import { activeAccount } from "../daemons/bank-fetcher/fetching/BankAccounts.ts"
import { type Moment, moments, sha256, SteppedBank } from "./BankSteps.ts"

const isLong = process.env["SIGNALBOX_TEST_LONG"] === "1"

const [files, perFile] = isLong ? [100, 10] : [10, 5]

/** Longest wait for one step. Unit: seconds. */
const patience = 90

type Victim = "a" | "b" | "both" | "postgres"
const victims: ReadonlyArray<Victim> = ["a", "b", "both", "postgres"]

/** Every moment with every victim; few of them in the short form. */
const strikes = (random: Random.Random): ReadonlyArray<{ readonly moment: Moment; readonly victim: Victim }> => {
  const all = random.shuffled(moments.flatMap((moment) => victims.map((victim) => ({ moment, victim }))))
  if (isLong) return all
  // One process, both, and Postgres, at different moments.
  const chosen: Array<(typeof all)[number]> = []
  for (const kind of [["a", "b"], ["both"], ["postgres"]])
    chosen.push(
      all.find(({ moment, victim }) => kind.includes(victim) && chosen.every((other) => other.moment !== moment))!
    )
  return random.shuffled(chosen)
}

const iban = "DE89370400440532013000"
const numberOf = (file: number, booking: number) => `RE-2026-${String(file * perFile + booking + 1).padStart(5, "0")}`

const statement = (file: number): Buffer =>
  Buffer.from(
    camt053({
      day: new Date(Date.UTC(2026, 0, 5 + file)).toISOString().slice(0, 10),
      number: file + 1,
      iban,
      bookings: Array.from({ length: perFile }, (_, booking) => ({
        amount: `${100 + booking}.${String(file % 100).padStart(2, "0")}`,
        text: `Rechnung ${numberOf(file, booking)}`,
        endToEndId: `E2E-${file}-${booking}`,
        name: "Customer"
      }))
    })
  )

it.live(
  "struck between its steps, the way from the bank to the payment loses no transaction and doubles none",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const random = Random.make()
        const postgres = yield* RestartablePostgres.make(60)
        const dataDir = realpathSync(yield* temporaryDirectory("signalbox-bank"))
        const fleet = yield* startFleet({
          units: yield* Effect.forEach(["a", "b"], (name) =>
            Effect.map(freePort, (port) => ({
              name,
              daemons: ["bank-fetcher"],
              env: { SIGNALBOX_BANK_FETCHER_PORT: String(port) }
            }))
          ),
          dataDir,
          env: {
            DATABASE_URL: postgres.url,
            SIGNALBOX_BANK_ALLOW_CIDRS: "127.0.0.0/8",
            // The pauses are short, and an answer may take ten seconds.
            SIGNALBOX_BANK_MINUTE_MS: "10000"
          }
        })
        const ready = untilWithin(
          patience,
          "both processes to be ready",
          Effect.sync(() => fleet.units.every((unit) => unit.isReady()))
        )
        yield* ready
        const sql = yield* client(postgres.target)
        /** An answer of Postgres, however often it is away. */
        const asked = <A, E>(statement: Effect.Effect<A, E>) =>
          statement.pipe(
            Effect.tapError(() => Effect.sleep(50)),
            Effect.retry({ times: 2_000 }),
            Effect.orDie
          )
        const count = (query: string) => Effect.map(asked(sql.unsafe<{ n: number }>(query)), ([row]) => Number(row!.n))

        const contents = Array.from({ length: files }, (_, file) => statement(file))
        const bank = new SteppedBank(contents, (sha) =>
          Effect.runPromise(
            Effect.map(
              count(`select count(*) as n from bank_fetcher.raw_file where sha256 = '${sha}' and state <> 'receiving'`),
              (found) => found === 1
            )
          )
        )
        const url = yield* Effect.acquireRelease(
          Effect.promise(() => bank.start()),
          () => Effect.sync(() => bank.stop())
        )
        const account = yield* activeAccount(sql, dataDir, bank.double, url)
        yield* sql`update bank_fetcher.account set iban = ${iban} where id = ${account.id}`
        for (let file = 0; file < files; file++)
          for (let booking = 0; booking < perFile; booking++)
            yield* sql`insert into bank_fetcher.invoice (tenant_id, number, amount, currency, issued_on, due_on)
              values (1, ${numberOf(file, booking)}, ${(100 + booking) * 100 + (file % 100)}, 'EUR', '2026-01-01',
                '2026-01-15')`
        const { token: secret } = yield* Effect.provideService(
          ServiceTokenStore.create({ name: "crash", scopes: ["platform"] }),
          SqlClient.SqlClient,
          sql
        )
        const token = Redacted.value(secret)

        // Somebody requests a fetch again and again, until the bank has nothing more.
        const request = Effect.promise(async () => {
          for (const unit of fleet.units) {
            const base = unit.addresses()["bank-fetcher"]
            const answer = await fetch(`${base}/api/v1/crm/ebics/accounts/${account.id}/fetch`, {
              method: "POST",
              headers: { "x-service-token": token, "content-type": "application/json" },
              body: "{}",
              signal: AbortSignal.timeout(5_000)
            }).catch(() => undefined)
            if (answer?.status === 202) return
          }
        })
        const requests = Effect.forever(
          Effect.gen(function* () {
            // A fetch that pauses after a failure is requested again, which ends its pause.
            const open = yield* count(
              `select count(*) as n from bank_fetcher.fetch
                where state = 'running' or (state = 'waiting' and (retry_at is null or retry_at <= now()))`
            )
            if (open === 0 && bank.confirmed < files) {
              // The hourly limit of requests is not the subject of this test.
              yield* asked(sql`update bank_fetcher.fetch set created_at = now() - interval '2 hours'
                where finished_at is not null`)
              yield* request
            }
            yield* Effect.sleep(50)
          })
        )
        yield* Effect.forkScoped(requests)

        // The steps inside the processes show in the tables.
        const seen = { stored: 0, parsed: 0, matched: 0 }
        const watch = Effect.forever(
          Effect.gen(function* () {
            const [now] = yield* asked(sql<{ stored: number; parsed: number; matched: number }>`
              select (select count(*) from bank_fetcher.raw_file where state <> 'receiving')::int as stored,
                (select count(*) from bank_fetcher.raw_file where state = 'parsed')::int as parsed,
                (select count(*) from bank_fetcher.payment)::int as matched`)
            for (const step of ["stored", "parsed", "matched"] as const) {
              if (now![step] > seen[step]) yield* Effect.promise(() => bank.reached(step))
              seen[step] = now![step]
            }
            yield* Effect.sleep(10)
          })
        )
        yield* Effect.forkScoped(watch)

        const strike = (victim: Victim) => async () => {
          if (victim === "postgres") await Effect.runPromise(postgres.restart(200))
          else for (const unit of fleet.units) if (victim === unit.name || victim === "both") unit.kill()
        }
        const done: Array<string> = []
        for (const { moment, victim } of strikes(random)) {
          // A strike in three follows at once, and hits a start.
          if (random.next() < 2 / 3) yield* ready
          bank.arm(moment, strike(victim))
          yield* untilWithin(
            patience,
            () => `${moment} (seed ${random.seed}; before: ${done.join(", ")})\n${fleet.tail(20)}`,
            // The last files may be matched long after their receipts.
            Effect.sync(() => !bank.isArmed || seen.matched === files * perFile)
          )
          if (bank.isArmed) break
          done.push(`${victim} at ${moment}`)
        }
        // A strike that found no moment would hit the questions below.
        bank.disarm()
        yield* untilWithin(
          patience * (isLong ? 4 : 1),
          () => `all files to be confirmed (seed ${random.seed}; ${done.join(", ")})\n${fleet.tail(20)}`,
          Effect.sync(() => bank.confirmed === files)
        )
        yield* untilWithin(
          patience,
          () => `all transactions to be matched (seed ${random.seed}; ${done.join(", ")})\n${fleet.tail(20)}`,
          Effect.map(
            count(`select count(*) as n from bank_fetcher.transaction
              where reconciliation_status <> 'auto_matched'
                or (select count(*) from bank_fetcher.transaction) < ${files * perFile}`),
            (open) => open === 0 && seen.matched > 0
          )
        )
        const story = `seed ${random.seed}: ${done.join(", ")}`
        expect(bank.tooEarly, story).toEqual([])
        const stored = yield* asked(
          sql<{ sha256: string; state: string }>`select sha256, state from bank_fetcher.raw_file`
        )
        expect(stored.map((row) => row.sha256).toSorted(), story).toEqual(contents.map(sha256).toSorted())
        expect(new Set(stored.map(({ state }) => state)), story).toEqual(new Set(["parsed"]))
        const transactions = yield* asked(
          sql<{ end_to_end_id: string }>`select end_to_end_id from bank_fetcher.transaction`
        )
        const expected = Array.from(
          { length: files * perFile },
          (_, at) => `E2E-${Math.floor(at / perFile)}-${at % perFile}`
        )
        expect(transactions.map((row) => row.end_to_end_id).toSorted(), story).toEqual(expected.toSorted())
        expect(
          yield* asked(sql`select count(*)::int as payments, count(distinct transaction_id)::int as transactions,
            (select count(*)::int from bank_fetcher.invoice where status = 'paid' and settled = amount) as paid,
            (select count(*)::int from core.event where type = 'payment.received') as events
            from bank_fetcher.payment where state = 'active'`),
          story
        ).toEqual([
          { payments: files * perFile, transactions: files * perFile, paid: files * perFile, events: files * perFile }
        ])
        expect(done.length, story).toBeGreaterThan(0)
      })
    ),
  isLong ? 3_600_000 : 300_000
)
