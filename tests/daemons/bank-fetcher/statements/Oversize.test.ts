/** Files above the bounds: a clear refusal, and nothing of them stays. */
import { expect, it } from "@effect/vitest"
import { Effect, Result, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { request } from "node:http"
import { Jobs } from "#core/jobs/Jobs.ts"
import { receive } from "#daemons/bank-fetcher/statements/Import.ts"
import { chunkSize, maxImport, maxZip } from "#daemons/bank-fetcher/statements/RawFiles.ts"
import { camt053 } from "#support/bank/StatementFiles.ts"
import { zip } from "#support/bank/ZipFile.ts"
import { as, prefix, startStatements } from "./StatementSuite.ts"
import { oncePerFile } from "#support/OncePerFile.ts"

const running = oncePerFile(startStatements())

type Suite = Effect.Success<ReturnType<typeof startStatements>>

const kept = ({ sql }: Suite) =>
  sql`select (select count(*)::int from bank_fetcher.raw_file) as files,
    (select count(*)::int from bank_fetcher.raw_chunk) as chunks,
    (select count(*)::int from bank_fetcher.statement) as statements`

const nothing = [{ files: 0, chunks: 0, statements: 0 }]

/** Answer to a request that declares a length and sends the beginning only. */
const declared = (base: string, length: number) =>
  Effect.promise(
    () =>
      new Promise<{ status: number | undefined; type: string | undefined; json: any }>((resolve, reject) => {
        const headers = { ...as(1).headers, "content-type": "application/xml", "content-length": length }
        const call = request(`${base}${prefix}/statements/import`, { method: "POST", headers }, (response) => {
          const chunks: Array<Buffer> = []
          response.on("data", (chunk: Buffer) => chunks.push(chunk))
          response.on("end", () => {
            call.destroy()
            const { headers, statusCode } = response
            resolve({
              status: statusCode,
              type: headers["content-type"],
              json: JSON.parse(Buffer.concat(chunks).toString())
            })
          })
        })
        call.on("error", reject)
        call.write("<Document>")
      })
  )

it.live("a body that declares more than the bound is refused before it comes", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const bank = yield* running
      const { json, status, type } = yield* declared(bank.base(), maxImport + 1)
      expect([status, type, json.code]).toEqual([413, "application/problem+json", "payload_too_large"])
      expect(yield* kept(bank)).toEqual(nothing)
    })
  )
)

it.live(
  "a ZIP file above its bound is refused",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const bank = yield* running
        const archive = Buffer.alloc(maxZip + 1)
        archive.write("PK\u0003\u0004")
        const { json, status } = yield* bank.upload(archive)
        expect([status, json.code, json.limit]).toEqual([413, "payload_too_large", maxZip])
        expect(json.detail).toBe(`The file may have at most ${maxZip} bytes.`)
        expect(yield* kept(bank)).toEqual(nothing)
      })
    ),
  // 64 MiB are sent.
  120_000
)

it.live("a text file that grows beyond its bound leaves none of the chunks that were stored", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const bank = yield* running
      const origin = { tenantId: 1, accountId: null, source: "import", orderType: null, name: "large" } as const
      let most = 0
      const pieces = Stream.fromIterable([
        "<Document>",
        ...Array.from({ length: 8 }, () => " ".repeat(chunkSize))
      ]).pipe(
        Stream.map((text) => Buffer.from(text)),
        Stream.tap(() =>
          Effect.map(
            bank.sql<{ chunks: number }>`select count(*)::int as chunks from bank_fetcher.raw_chunk`,
            ([row]) => {
              most = Math.max(most, row!.chunks)
            }
          )
        )
      )
      const received = yield* receive(origin, pieces, { text: 5 * chunkSize, zip: 0 }).pipe(
        Effect.provideService(SqlClient.SqlClient, bank.sql),
        // A refused file is not queued.
        Effect.provideService(Jobs, {} as never),
        Effect.result
      )
      expect(Result.isFailure(received) && received.failure).toMatchObject({ _tag: "TooLarge", limit: 5 * chunkSize })
      expect(most).toBeGreaterThan(2)
      expect(yield* kept(bank)).toEqual(nothing)
    })
  )
)

it.live("a ZIP file with one member that inflates too far is one failed file, and the other member is not read", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const bank = yield* running
      const good = Buffer.from(camt053({ day: "2026-01-06", number: 7 }))
      const files = yield* bank.imported(
        zip({ name: "good.xml", content: good }, { name: "bomb.xml", content: Buffer.alloc(20 * 1024 * 1024) })
      )
      expect(files.map(({ problem, state, statements }) => [state, problem.code, statements])).toEqual([
        ["failed", "too_large", 0]
      ])
      expect(yield* bank.items("/statements")).toEqual([])
      expect((yield* kept(bank))[0]).toMatchObject({ files: 1, statements: 0 })
    })
  )
)
