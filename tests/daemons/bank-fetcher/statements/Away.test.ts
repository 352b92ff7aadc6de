/** Postgres goes away while files are read. SIGNALBOX_TEST_LONG=1 repeats it more often. */
import { expect, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import * as AwayPostgres from "#support/AwayPostgres.ts"
import { camt053 } from "#support/bank/StatementFiles.ts"
import * as Random from "#support/Random.ts"
import { untilWithin } from "#support/Within.ts"
import { startStatements } from "./StatementSuite.ts"

const rounds = process.env["SIGNALBOX_TEST_LONG"] === "1" ? 40 : 1

/** Bookings of a file: several chunks and batches of rows. */
const count = 4_000

/** Longest delay before Postgres goes away. Unit: milliseconds. Reason: longer than the reading of a file. */
const longest = 1_500

const file = (round: number) =>
  camt053({
    day: `2026-01-${String(1 + (round % 28)).padStart(2, "0")}`,
    number: round + 1,
    bookings: Array.from({ length: count }, (_, at) => ({
      amount: `${(at % 900) + 1}.00`,
      text: `Rechnung RE-${round}-${at} ${"x".repeat(100)}`,
      reference: `B-${round}-${at}`,
      iban: "DE02120300000000202051"
    }))
  })

it.live(
  "a file is read completely and once although Postgres was away",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const random = Random.make()
        const postgres = yield* AwayPostgres.make
        const bank = yield* startStatements({ database: postgres.database })
        for (let round = 0; round < rounds; round++) {
          const { json } = yield* bank.upload(file(round))
          yield* Effect.sleep(random.between(0, longest))
          yield* postgres.away
          yield* Effect.sleep(200)
          yield* postgres.back
          const id = json.files[0].file.id
          yield* untilWithin(
            120,
            `round ${round} of seed ${random.seed} is read`,
            Effect.map(bank.get(`/files/${id}`), (answer) => answer.json?.state === "parsed")
          )
          const [found] = yield* Effect.retry(
            bank.sql<{ rows: number; kinds: number; left: number }>`select count(*)::int as rows,
                count(distinct bank_reference)::int as kinds,
                (select count(*)::int from bank_fetcher.parsed_rows) as left
              from bank_fetcher.transaction t join bank_fetcher.statement s on s.id = t.statement_id
              where s.file_id = ${id}`,
            { times: 50, schedule: Schedule.spaced("100 millis") }
          )
          expect(found).toEqual({ rows: count, kinds: count, left: 0 })
        }
      })
    ),
  { timeout: rounds * 120_000 }
)
