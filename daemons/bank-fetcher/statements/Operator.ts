/** Implementation of the commands of `signalbox bank` about files, statements and transactions. */
import { Effect, Layer, Option, Stream } from "effect"
import { createReadStream } from "node:fs"
import { basename } from "node:path"
import { exitUsage, fail } from "#core/cli/Ending.ts"
import { minute } from "#core/cli/Moment.ts"
import { columns, print } from "#core/cli/Output.ts"
import { withStorage } from "#core/cli/Storage.ts"
import * as Incarnation from "#core/cluster/Incarnation.ts"
import * as Wake from "#core/events/Wake.ts"
import * as Jobs from "#core/jobs/Jobs.ts"
import * as Audit from "#core/log/Audit.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import { transaction } from "#core/sql/Sql.ts"
import { isDay } from "#protocols/bank-formats/Values.ts"
import { ParseWanted } from "../bank-store/BankJobs.ts"
import { bankFetcher } from "../Daemon.ts"
import * as Accounts from "./Accounts.ts"
import { fileView, statementView, transactionView } from "./Answers.ts"
import { receive, requeue } from "./Import.ts"
import * as Lists from "./Lists.ts"
import { content } from "./RawFiles.ts"
import { reconciliationStatuses, type FileView } from "./Views.ts"

const inBank = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  withStorage(Effect.andThen(Migrations.run(bankFetcher.migrations), effect))

/** Also sends jobs. */
const withJobs = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  inBank(
    Effect.provide(
      Effect.scoped(
        Effect.andThen(
          // This process claims no jobs, so its row can be removed at once.
          Effect.flatMap(Incarnation.Incarnation, (own) =>
            Effect.addFinalizer(() => Effect.ignore(own.forget(own.id)))
          ),
          effect
        )
      ),
      Jobs.layer([ParseWanted.queue]).pipe(
        Layer.provideMerge(Layer.mergeAll(Incarnation.layer(["operator"]), Wake.layer))
      )
    )
  )

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const checkId = (name: string, id: string) =>
  uuid.test(id) ? Effect.void : fail(`${name}: ${JSON.stringify(id)} is no UUID`, exitUsage)

const given = Effect.fnUntraced(function* <const Name extends string>(
  name: Name,
  value: Option.Option<string>,
  problem: (text: string) => string | undefined
) {
  type Found = { readonly [K in Name]?: string }
  if (Option.isNone(value)) return {} as Found
  const found = problem(value.value)
  return found === undefined
    ? ({ [name]: value.value } as Found)
    : yield* fail(`--${name}: ${JSON.stringify(value.value)} ${found}`, exitUsage)
})

const noUuid = (text: string) => (uuid.test(text) ? undefined : "is no UUID")
const noDay = (text: string) => (isDay(text) ? undefined : "is no day such as 2026-01-31")
const noStatus = (text: string) =>
  reconciliationStatuses.some((status) => status === text)
    ? undefined
    : `is none of ${reconciliationStatuses.join(", ")}`

interface ImportFlags {
  readonly files: ReadonlyArray<string>
  readonly account: Option.Option<string>
  readonly tenant: number
  readonly json: boolean
}

export const importFiles = Effect.fnUntraced(function* ({ account, files, json, tenant }: ImportFlags) {
  const { account: accountId } = yield* given("account", account, noUuid)
  const found = yield* withJobs(
    Effect.gen(function* () {
      if (accountId !== undefined && (yield* transaction(Accounts.byId(tenant, accountId))) === undefined)
        return yield* fail(`tenant ${tenant} has no account ${accountId}`)
      const stored: Array<{ readonly duplicate: boolean; readonly file: typeof FileView.Type }> = []
      for (const path of files) {
        const body = Stream.fromAsyncIterable<Uint8Array, Error>(createReadStream(path), (error) => error as Error)
        const kept = yield* receive(
          { tenantId: tenant, accountId: accountId ?? null, source: "import", orderType: null, name: basename(path) },
          Stream.catch(body, (error) => Stream.fromEffect(fail(`${path}: ${error.message}`)))
        ).pipe(
          Effect.catchTags({
            NotRead: ({ detail }) => fail(`${path}: ${detail ?? "is no file with bank statements"}`),
            TooLarge: ({ detail }) => fail(`${path}: ${detail ?? "is too large"}`),
            StoringFailed: ({ message }) => fail(`${path}: ${message}`)
          })
        )
        const rows = yield* transaction(Lists.filesOf(kept.map(({ fileId }) => fileId)))
        for (const { duplicate, fileId } of kept) {
          const row = rows.find(({ id }) => id === fileId)!
          stored.push({ duplicate, file: fileView(row) })
          if (!duplicate)
            yield* transaction(
              Audit.write({
                tenantId: tenant,
                actor: Audit.operator,
                action: "bank_file.imported",
                entity: "bank_file",
                id: fileId
              })
            )
        }
      }
      return stored
    })
  )
  yield* print(json, found, () =>
    columns(found.map(({ duplicate, file }) => [...fileCells(file), duplicate ? "is stored already" : problem(file)]))
  )
})

const fileCells = ({ id, name, received_at, state }: typeof FileView.Type) => [
  id,
  minute(new Date(received_at)),
  state,
  name
]

const problem = (file: typeof FileView.Type) => file.problem?.message ?? ""

interface PageFlags {
  readonly tenant: number
  readonly before: Option.Option<number>
  readonly limit: number
  readonly json: boolean
}

const pageOf = ({ before, limit }: PageFlags) => ({ before: Option.getOrUndefined(before), limit })

export const files = Effect.fnUntraced(function* (flags: PageFlags & { readonly failed: boolean }) {
  const filter = { tenant_id: flags.tenant, ...(flags.failed && { state: "failed" }) }
  const rows = yield* inBank(transaction(Lists.files(filter, pageOf(flags))))
  const shown = rows.map((row) => ({ seq: row.seq, ...fileView(row) }))
  yield* print(flags.json, shown, () =>
    columns(shown.map((file) => [String(file.seq), ...fileCells(file), problem(file)]))
  )
})

export const parse = Effect.fnUntraced(function* ({ id, json }: { readonly id: string; readonly json: boolean }) {
  yield* checkId("uuid", id)
  const row = yield* withJobs(
    transaction(
      Effect.tap(requeue(id), ({ again, file }) =>
        again
          ? Audit.write({
              tenantId: file.tenant_id,
              actor: Audit.operator,
              action: "bank_file.read_again",
              entity: "bank_file",
              id
            })
          : Effect.void
      )
    )
  ).pipe(Effect.catchTag("NotFound", () => fail(`there is no file ${id}`)))
  yield* print(json, fileView(row.file), (file) => [`The file ${file.name} is ${file.state}.`])
})

interface StatementFlags extends PageFlags {
  readonly account: Option.Option<string>
  readonly findings: boolean
  readonly from: Option.Option<string>
  readonly to: Option.Option<string>
}

export const statements = Effect.fnUntraced(function* (flags: StatementFlags) {
  const filter = {
    tenant_id: flags.tenant,
    ...(yield* given("account", flags.account, noUuid)),
    ...(yield* given("from", flags.from, noDay)),
    ...(yield* given("to", flags.to, noDay)),
    ...(flags.findings && { findings: "true" as const })
  }
  const rows = yield* inBank(transaction(Lists.statements(filter, pageOf(flags))))
  const shown = rows.map((row) => ({ seq: row.seq, ...statementView(row) }))
  yield* print(flags.json, shown, () =>
    columns(
      shown.map((one) => [
        String(one.seq),
        one.id,
        one.iban ?? "",
        one.kind,
        one.state,
        one.to_date ?? "",
        `${one.closing ?? ""} ${one.currency ?? ""}`,
        one.findings.map(({ message }) => message).join(" ")
      ])
    )
  )
})

interface TransactionFlags extends PageFlags {
  readonly account: Option.Option<string>
  readonly statement: Option.Option<string>
  readonly status: Option.Option<string>
  readonly search: Option.Option<string>
  readonly from: Option.Option<string>
  readonly to: Option.Option<string>
}

export const transactions = Effect.fnUntraced(function* (flags: TransactionFlags) {
  const filter = {
    tenant_id: flags.tenant,
    ...(yield* given("account", flags.account, noUuid)),
    ...(yield* given("statement", flags.statement, noUuid)),
    ...(yield* given("status", flags.status, noStatus)),
    ...(yield* given("from", flags.from, noDay)),
    ...(yield* given("to", flags.to, noDay)),
    ...(Option.isSome(flags.search) && { q: flags.search.value })
  }
  const rows = yield* inBank(transaction(Lists.transactions(filter, pageOf(flags))))
  const shown = rows.map((row) => ({ seq: row.seq, ...transactionView(row) }))
  yield* print(flags.json, shown, () =>
    columns(
      shown.map((one) => [
        String(one.seq),
        one.id,
        one.booked_on,
        `${one.amount} ${one.currency}`,
        one.reconciliation_status,
        one.counter_name ?? "",
        one.text
      ])
    )
  )
})

export const raw = Effect.fnUntraced(function* ({ id }: { readonly id: string }) {
  yield* checkId("uuid", id)
  yield* inBank(
    Effect.gen(function* () {
      const file = yield* transaction(
        Effect.flatMap(Lists.statement(id), (statement) => Lists.file(statement.file_id)).pipe(
          Effect.catchTag("NotFound", () => Lists.file(id))
        )
      ).pipe(Effect.catchTag("NotFound", () => fail(`there is no statement or file ${id}`)))
      if (file.state === "removed") return yield* fail("the content of the file was deleted after its retention")
      yield* Stream.runForEach(content(file.tenant_id, file.id, file.chunks), (bytes) =>
        Effect.callback<void>((resume) => void process.stdout.write(bytes, () => resume(Effect.void)))
      )
    })
  )
})
