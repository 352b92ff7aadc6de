import { Effect, Option, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import type { SqlClient } from "effect/sql"
import { Caller, inScope, tenantOf } from "#core/auth/Caller.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { defaultPage } from "#core/http/Paging.ts"
import { Forbidden, orUnavailable } from "#core/http/Problem.ts"
import { csvHead, csvLine, fileView, pageOfRows, statementView, transactionView } from "./Answers.ts"
import { StatementsApi } from "./Api.ts"
import { disposition, downloadOf, fileHeaders } from "./Download.ts"
import { importFile, readAgain } from "./Import.ts"
import * as Lists from "./Lists.ts"

/** Tenant of what the caller creates. Only service tokens may name another. */
const ownerOf = Effect.fnUntraced(function* (named: number | undefined) {
  const caller = yield* Caller
  const tenantId = named ?? tenantOf(caller)
  if (caller.kind === "user" && caller.tenantId !== tenantId)
    return yield* new Forbidden({ detail: "Only service tokens may name another tenant." })
  return tenantId
})

/** Rows of one page of an export. Reason: a few hundred kilobytes, in one statement. */
const exportPage = 1_000

export const statements = Handlers.group(StatementsApi, "bankStatements", (handlers) =>
  handlers
    .handle(
      "list",
      Effect.fnUntraced(function* ({ query: { before, limit = defaultPage, ...filter } }) {
        const rows = yield* orUnavailable(inScope(Lists.statements(filter, { before, limit: limit + 1 })))
        return pageOfRows(rows, limit, statementView)
      })
    )
    .handleRaw(
      "imported",
      Effect.fnUntraced(function* ({ query, request }) {
        const tenantId = yield* ownerOf(query.tenant_id)
        const kept = yield* orUnavailable(importFile(tenantId, query, request))
        const rows = yield* orUnavailable(inScope(Lists.filesOf(kept.map(({ fileId }) => fileId))))
        const byId = new Map(rows.map((row) => [row.id, row]))
        return { files: kept.map(({ duplicate, fileId }) => ({ duplicate, file: fileView(byId.get(fileId)!) })) }
      })
    )
    .handle(
      "show",
      Effect.fnUntraced(function* ({ params }) {
        return statementView(yield* orUnavailable(inScope(Lists.statement(params.uuid))))
      })
    )
    .handle(
      "raw",
      Effect.fnUntraced(function* ({ params }) {
        const { file_id: fileId } = yield* orUnavailable(inScope(Lists.statement(params.uuid)))
        return yield* downloadOf(yield* orUnavailable(inScope(Lists.file(fileId))))
      })
    )
    .handle(
      "files",
      Effect.fnUntraced(function* ({ query: { before, limit = defaultPage, ...filter } }) {
        const rows = yield* orUnavailable(inScope(Lists.files(filter, { before, limit: limit + 1 })))
        return pageOfRows(rows, limit, fileView)
      })
    )
    .handle(
      "file",
      Effect.fnUntraced(function* ({ params }) {
        return fileView(yield* orUnavailable(inScope(Lists.file(params.uuid))))
      })
    )
    .handle(
      "fileRaw",
      Effect.fnUntraced(function* ({ params }) {
        return yield* downloadOf(yield* orUnavailable(inScope(Lists.file(params.uuid))))
      })
    )
    .handle(
      "parse",
      Effect.fnUntraced(function* ({ params }) {
        return fileView(yield* orUnavailable(inScope(readAgain(params.uuid))))
      })
    )
)

export const transactions = Handlers.group(StatementsApi, "bankTransactions", (handlers) =>
  handlers
    .handle(
      "list",
      Effect.fnUntraced(function* ({ query: { before, limit = defaultPage, ...filter } }) {
        const rows = yield* orUnavailable(inScope(Lists.transactions(filter, { before, limit: limit + 1 })))
        return pageOfRows(rows, limit, transactionView)
      })
    )
    .handle(
      "exported",
      Effect.fnUntraced(function* ({ query }) {
        const context = yield* Effect.context<Caller | SqlClient.SqlClient>()
        const page = (before: number | undefined) =>
          Effect.provide(inScope(Lists.transactions(query, { before, limit: exportPage })), context)
        // The first page is read before the answer begins, so that an error of the database has its status.
        const first = yield* orUnavailable(page(undefined))
        const lines = Stream.paginate(first, (rows) => {
          const text = rows.map(csvLine).join("")
          return rows.length < exportPage
            ? Effect.succeed([[text], Option.none<typeof rows>()] as const)
            : Effect.map(page(rows.at(-1)!.seq), (next) => [[text], Option.some(next)] as const)
        })
        const bytes = Stream.encodeText(Stream.concat(Stream.make(csvHead), lines))
        return HttpServerResponse.stream(bytes, {
          contentType: "text/csv; charset=utf-8",
          headers: { ...fileHeaders, "content-disposition": disposition("transactions.csv") }
        })
      })
    )
    .handle(
      "show",
      Effect.fnUntraced(function* ({ params }) {
        return transactionView(yield* orUnavailable(inScope(Lists.transaction(params.uuid))))
      })
    )
)
