/** `signalbox bank import`, `files`, `parse`, `statements`, `transactions` and `raw`, beside a running daemon. */
import { it } from "@effect/vitest"
import { Console, Effect, Option } from "effect"
import { join } from "node:path"
import { writeFileSync } from "node:fs"
import { expect, vi } from "vitest"
import { Environment } from "#core/config/Environment.ts"
import * as Operator from "#daemons/bank-fetcher/statements/Operator.ts"
import { recording } from "#support/CapturedOutput.ts"
import { camt053 } from "#support/bank/StatementFiles.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { startSuite } from "#support/TestSuite.ts"
import { bankFetcher } from "#daemons/bank-fetcher/Daemon.ts"
import { untilWithin } from "#support/Within.ts"

/** Longest time of a test. Unit: milliseconds. Reason: loaded machines. */
const patience = 120_000

const none = Option.none<string>()
const page = { tenant: 1, before: Option.none<number>(), limit: 50, json: true }
const noFilter = { ...page, account: none, statement: none, status: none, search: none, from: none, to: none }
const all = { ...page, account: none, from: none, to: none, findings: false }

const start = Effect.fnUntraced(function* () {
  const suite = yield* startSuite({ daemons: [bankFetcher] })
  /** Standard output of a command, line by line; or why it failed. */
  const run = Effect.fnUntraced(function* <E>(command: Effect.Effect<void, E>) {
    const out: Array<string> = []
    const result = yield* Effect.result(
      command.pipe(
        Effect.provideService(Environment, suite.env),
        Effect.provideService(Console.Console, recording(out))
      )
    )
    return result._tag === "Failure"
      ? { out, refused: result.failure as { readonly message: string; readonly code: number } }
      : { out, refused: undefined }
  })
  const json = <E>(command: Effect.Effect<void, E>) =>
    Effect.map(run(command), ({ out, refused }) => {
      expect(refused).toBeUndefined()
      return JSON.parse(out[0]!)
    })
  const refusal = <E>(command: Effect.Effect<void, E>) =>
    Effect.map(run(command), ({ refused }) => [refused?.code, refused?.message])
  const [account] = yield* suite.sql<{ id: string }>`insert into bank_fetcher.account (tenant_id, name, iban, currency)
    values (1, 'Giro', 'DE89370400440532013000', 'EUR') returning id`
  const folder = yield* temporaryDirectory()
  const file = (name: string, content: string) => {
    const path = join(folder, name)
    writeFileSync(path, content)
    return path
  }
  const take = (...files: ReadonlyArray<string>) => ({ files, account: none, tenant: 1, json: true })
  const read = untilWithin(
    60,
    "the files are read",
    Effect.map(
      suite.sql`select 1 from bank_fetcher.raw_file where state = 'waiting'`,
      (waiting) => waiting.length === 0
    )
  )
  return { ...suite, run, json, refusal, account: account!.id, folder, file, take, read }
})

const first = camt053({
  day: "2026-01-07",
  number: 17,
  opening: "1000.00",
  bookings: [
    { amount: "20.00", text: "Rechnung 5", name: "Kai Jansen" },
    { amount: "-3.90", text: "Kontoentgelt", on: "2026-01-06" }
  ]
})

it.live(
  "an operator imports files, sees what came of them, and gets the original back",
  () =>
    Effect.gen(function* () {
      const bank = yield* start()
      const path = bank.file("first.xml", first)
      const [{ duplicate, file }] = yield* bank.json(Operator.importFiles(bank.take(path)))
      expect([duplicate, file.state, file.name]).toEqual([false, "waiting", "first.xml"])
      const again = yield* bank.run(Operator.importFiles({ ...bank.take(path), json: false }))
      expect(again.out).toHaveLength(1)
      expect(again.out[0]).toMatch(new RegExp(`^${file.id} .* first\\.xml +is stored already$`))
      const gap = camt053({ day: "2026-01-09", number: 19, opening: "900.00", bookings: [] })
      const cut = bank.file("cut.xml", first.slice(0, 900))
      yield* bank.json(Operator.importFiles(bank.take(bank.file("gap.xml", gap), cut)))
      yield* bank.read

      const files = yield* bank.json(Operator.files({ ...page, failed: false }))
      expect(files.map(({ name, state }: any) => [name, state])).toEqual([
        ["cut.xml", "failed"],
        ["gap.xml", "parsed"],
        ["first.xml", "parsed"]
      ])
      const failed = yield* bank.run(Operator.files({ ...page, failed: true, json: false }))
      expect(failed.out).toHaveLength(1)
      expect(failed.out[0]).toMatch(/^\d+ +[0-9a-f-]{36} .* failed +cut\.xml +/)
      expect(failed.out[0]).toContain(files[0].problem.message)
      const next = yield* bank.json(
        Operator.files({ ...page, failed: false, limit: 1, before: Option.some(files[0].seq) })
      )
      expect(next.map(({ name }: any) => name)).toEqual(["gap.xml"])

      const statements = yield* bank.json(Operator.statements(all))
      expect(statements.map(({ closing, number }: any) => [number, closing])).toEqual([
        [19, "900.00"],
        [17, "1016.10"]
      ])
      const findings = yield* bank.run(Operator.statements({ ...all, findings: true, json: false }))
      expect(findings.out).toHaveLength(1)
      expect(findings.out[0]).toMatch(/DE89370400440532013000 .* 2026-01-09 +900\.00 EUR .*18/)
      const early = { ...all, account: Option.some(bank.account), to: Option.some("2026-01-08") }
      expect(yield* bank.json(Operator.statements(early))).toHaveLength(1)
      expect(yield* bank.json(Operator.statements({ ...all, tenant: 2 }))).toEqual([])

      const rows = yield* bank.run(Operator.transactions({ ...noFilter, json: false }))
      expect(rows.out).toHaveLength(2)
      expect(rows.out.join("\n")).toMatch(/2026-01-07 +20\.00 EUR +\w+ +Kai Jansen +Rechnung 5/)
      const amounts = (flags: object) =>
        Effect.map(bank.json(Operator.transactions({ ...noFilter, ...flags })), (found) =>
          found.map(({ amount }: any) => amount)
        )
      expect(yield* amounts({ search: Option.some("jansen") })).toEqual(["20.00"])
      expect(yield* amounts({ to: Option.some("2026-01-06") })).toEqual(["-3.90"])
      expect(yield* amounts({ from: Option.some("2026-01-07"), statement: Option.some(statements[1].id) })).toEqual([
        "20.00"
      ])
      expect(yield* amounts({ status: Option.some("manual_matched") })).toEqual([])

      // The original by its statement and by its own id.
      const written: Array<Buffer> = []
      const output = vi.spyOn(process.stdout, "write").mockImplementation(((bytes: Uint8Array, done: () => void) => {
        written.push(Buffer.from(bytes))
        done()
        return true
      }) as typeof process.stdout.write)
      const raw = Effect.fnUntraced(function* (id: string) {
        written.length = 0
        yield* bank.run(Operator.raw({ id }))
        return Buffer.concat(written).toString()
      })
      const originals = yield* Effect.ensuring(
        Effect.all([raw(statements[1].id), raw(file.id)]),
        Effect.sync(() => output.mockRestore())
      )
      expect(originals).toEqual([first, first])

      // A failed file is read again; another one stays as it is.
      const lines = (id: string) => Effect.map(bank.run(Operator.parse({ id, json: false })), ({ out }) => out)
      expect(yield* lines(files[0].id)).toEqual(["The file cut.xml is waiting."])
      expect(yield* lines(file.id)).toEqual(["The file first.xml is parsed."])
      yield* bank.read
      const actions = yield* bank.sql<{ action: string; count: number }>`select action, count(*)::int as count
      from core.audit where actor = 'operator' and action like 'bank_file.%' group by action order by action`
      expect(actions.map(({ action, count }) => [action, count])).toEqual([
        ["bank_file.imported", 3],
        ["bank_file.read_again", 1]
      ])
    }).pipe(Effect.scoped),
  patience
)

it.live(
  "what an operator mistypes is refused with the argument and what is right",
  () =>
    Effect.gen(function* () {
      const bank = yield* start()
      const id = "00000000-0000-4000-8000-000000000000"
      const some = Option.some
      const usage = 64
      expect(yield* bank.refusal(Operator.raw({ id: "x" }))).toEqual([usage, 'uuid: "x" is no UUID'])
      expect(yield* bank.refusal(Operator.raw({ id }))).toEqual([1, `there is no statement or file ${id}`])
      expect(yield* bank.refusal(Operator.parse({ id: "x", json: false }))).toEqual([usage, 'uuid: "x" is no UUID'])
      expect(yield* bank.refusal(Operator.parse({ id, json: false }))).toEqual([1, `there is no file ${id}`])
      expect(yield* bank.refusal(Operator.statements({ ...all, from: some("1.1.2026") }))).toEqual([
        usage,
        '--from: "1.1.2026" is no day such as 2026-01-31'
      ])
      expect(yield* bank.refusal(Operator.statements({ ...all, account: some("giro") }))).toEqual([
        usage,
        '--account: "giro" is no UUID'
      ])
      const [code, message] = yield* bank.refusal(Operator.transactions({ ...noFilter, status: some("open") }))
      expect(code).toBe(usage)
      expect(message).toMatch(/^--status: "open" is none of .*unmatched, .*ignored/)

      const path = join(bank.folder, "none.xml")
      const [missing, why] = yield* bank.refusal(Operator.importFiles(bank.take(path)))
      expect([missing, String(why).startsWith(`${path}: ENOENT`)]).toEqual([1, true])
      const account = { ...bank.take(bank.file("first.xml", first)), account: some(id) }
      expect(yield* bank.refusal(Operator.importFiles(account))).toEqual([1, `tenant 1 has no account ${id}`])
      expect(yield* bank.sql`select 1 from bank_fetcher.raw_file`).toEqual([])
    }).pipe(Effect.scoped),
  patience
)
