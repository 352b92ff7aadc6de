/** Uploaded files for mails: complete, limited in size, visible to their owner only, and deleted later. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { createHash, randomBytes } from "node:crypto"
import { connect } from "node:net"
import { forget } from "#daemons/mail-watcher/webmail-sending/SendingSweep.ts"
import { fileName, mediaType } from "#daemons/mail-watcher/webmail-sending/uploads/UploadName.ts"
import { maxUpload, maxUploads } from "#daemons/mail-watcher/webmail-sending/uploads/Store.ts"
import { until } from "#support/Frame.ts"
import { addAccount, as, type Placed, startWatcher } from "../Watcher.ts"
import { base, caller } from "../Mailbox.ts"

class Place extends Context.Service<Place, Placed>()("test/Place") {
  static readonly layer = Layer.effect(
    Place,
    Effect.gen(function* () {
      const placed = yield* startWatcher(["ann@example.test"], { suite: { gateway: true } })
      yield* addAccount(placed, { address: "ann@example.test", tenant: 7 })
      yield* addAccount(placed, { address: "two@example.test", tenant: 7 })
      yield* addAccount(placed, { address: "bob@example.test", tenant: 8 })
      return placed
    })
  )
}

const upload = (
  { suite }: Placed,
  body: string | Uint8Array<ArrayBuffer> | ReadableStream,
  query = "",
  headers: Record<string, string> = {},
  tenant = 7
) =>
  Effect.promise(async () => {
    const response = await fetch(`${suite.base()}${base}/attachments${query}`, {
      method: "POST",
      body,
      duplex: "half",
      headers: { ...as(tenant).headers, ...headers }
    } as RequestInit)
    return { status: response.status, json: (await response.json()) as any }
  })

const rows = ({ suite }: Placed) =>
  Effect.map(
    suite.sql<{ count: number }>`select count(*)::int as count from mail_watcher.upload_chunk`,
    ([row]) => row!.count
  )

describe("uploads", () => {
  layer(Place.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "tell their owner when they are complete, not when they are refused",
      () =>
        Effect.gen(function* () {
          const placed = yield* Place
          const told = placed.suite.sql`select tenant_id, user_id, data from core.event where type = 'file.uploaded'`
          const before = (yield* told).length
          const kept = yield* upload(placed, "text", "?name=plan.txt")
          assert.strictEqual(kept.status, 201)
          yield* upload(placed, new Uint8Array(maxUpload + 1), "?name=big.bin")
          assert.deepStrictEqual((yield* told).slice(before), [
            { tenant_id: 7, user_id: 70, data: { path: "mail/ann@example.test", name: "plan.txt" } }
          ])
          yield* Effect.promise(() =>
            fetch(`${placed.suite.base()}${base}/attachments/${kept.json.id}`, { method: "DELETE", ...as(7) })
          )
        }),
      120_000
    )

    it.effect(
      "store the largest and the empty file",
      () =>
        Effect.gen(function* () {
          const placed = yield* Place
          const bytes = randomBytes(maxUpload)
          const kept = yield* upload(placed, bytes, "?name=big.bin", { "content-type": "application/zip; x=y" })
          assert.deepStrictEqual(
            [kept.status, kept.json.name, kept.json.content_type, kept.json.size],
            [201, "big.bin", "application/zip", maxUpload]
          )
          const chunks = yield* placed.suite.sql<{
            bytes: Uint8Array
          }>`select bytes from mail_watcher.upload_chunk where upload_id = ${kept.json.id} order by position`
          const sha = (data: Uint8Array) => createHash("sha256").update(data).digest("hex")
          assert.strictEqual(sha(Buffer.concat(chunks.map((chunk) => chunk.bytes))), sha(bytes))
          assert.isAbove(chunks.length, 10)
          // A streamed upload without a length.
          const empty = yield* upload(placed, new Blob([]).stream(), "", {
            "content-disposition": 'attachment; filename="../a b.txt"'
          })
          assert.deepStrictEqual([empty.status, empty.json.size, empty.json.name], [201, 0, "a b.txt"])
          const call = caller(placed)
          assert.deepStrictEqual(
            (yield* call("GET", "/attachments")).json.items.map(({ id }: any) => id),
            [empty.json.id, kept.json.id]
          )
          for (const { json } of [kept, empty])
            assert.strictEqual((yield* call("DELETE", `/attachments/${json.id}`)).status, 204)
          assert.strictEqual((yield* call("DELETE", `/attachments/${kept.json.id}`)).json.code, "not_found")
          assert.strictEqual(yield* rows(placed), 0)
        }),
      120_000
    )

    it.effect(
      "refuse oversized files and leave nothing",
      () =>
        Effect.gen(function* () {
          const placed = yield* Place
          const over = Buffer.alloc(maxUpload + 1)
          assert.strictEqual((yield* upload(placed, over)).status, 413)
          const streamed = yield* upload(placed, new Blob([over]).stream())
          assert.deepStrictEqual(
            [streamed.status, streamed.json.code, streamed.json.limit],
            [413, "too_large", maxUpload]
          )
          yield* until(
            "nothing is left",
            Effect.map(rows(placed), (count) => count === 0)
          )
        }),
      120_000
    )

    it.effect(
      "leave nothing of an aborted upload",
      () =>
        Effect.gen(function* () {
          const placed = yield* Place
          const { port } = new URL(placed.suite.base())
          const socket = connect(Number(port), "127.0.0.1")
          socket.on("error", () => undefined)
          socket.write(
            `POST ${base}/attachments HTTP/1.1\r\nHost: a\r\nAuthorization: ${as(7).headers.authorization}\r\nContent-Length: 9000000\r\n\r\n`
          )
          socket.write(Buffer.alloc(4_000_000))
          yield* until(
            "some of it is kept",
            Effect.map(rows(placed), (count) => count > 0)
          )
          socket.destroy()
          yield* until(
            "nothing is kept",
            Effect.map(placed.suite.sql`select 1 from mail_watcher.upload`, (found) => found.length === 0)
          )
        }),
      120_000
    )

    it.effect(
      "are limited per account",
      () =>
        Effect.gen(function* () {
          const placed = yield* Place
          yield* placed.suite
            .sql`insert into mail_watcher.upload (tenant_id, account_id, name, content_type, size, complete)
          select 7, id, 'x', 'a/b', ${maxUploads - 10}, true from mail_watcher.account where address = 'ann@example.test'`
          const first = "?account=ann@example.test"
          assert.strictEqual((yield* upload(placed, "0123456789", first)).status, 201)
          assert.strictEqual((yield* upload(placed, "x", first)).json.code, "too_large")
          assert.strictEqual((yield* upload(placed, "x", "?account=two@example.test")).status, 201)
          // Backdates the uploads by more than a day, so that they are deleted.
          yield* placed.suite
            .sql`update mail_watcher.upload set created_at = now() - interval '25 hours' where size > 1`
          yield* Effect.provideService(forget, SqlClient.SqlClient, placed.suite.sql)
          assert.deepStrictEqual((yield* caller(placed)("GET", `/attachments${first}`)).json.items, [])
          assert.strictEqual(
            (yield* caller(placed)("GET", "/attachments?account=two@example.test")).json.items.length,
            1
          )
        }),
      120_000
    )

    it.effect(
      "belong to one account",
      () =>
        Effect.gen(function* () {
          const placed = yield* Place
          const { json } = yield* upload(placed, "mine", "?account=ann@example.test")
          const bob = caller(placed, 8)
          assert.strictEqual((yield* bob("DELETE", `/attachments/${json.id}`)).json.code, "not_found")
          assert.strictEqual((yield* bob("GET", "/attachments?account=ann@example.test")).json.code, "not_found")
          const theirs = yield* bob("POST", "/drafts", { attachments: [json.id] })
          const other = yield* caller(placed)("POST", "/drafts?account=two@example.test", { attachments: [json.id] })
          for (const kept of [theirs, other])
            assert.deepStrictEqual(
              [kept.status, kept.json.errors?.[0].field],
              [422, "payload.attachments[0]"],
              kept.text
            )
        }),
      120_000
    )
  })
})

describe("name and type of an upload", () => {
  it("cleans the name", () => {
    const cases: ReadonlyArray<readonly [string | undefined, string | undefined, string]> = [
      ["a.txt", "attachment; filename=b.txt", "a.txt"],
      [undefined, "attachment; filename=b.txt", "b.txt"],
      [undefined, 'attachment; filename="b \\"c\\".txt"', 'b "c".txt'],
      [undefined, "attachment; filename=plain.txt; filename*=UTF-8''%C3%BCber.txt", "über.txt"],
      [undefined, "attachment; filename=plain.txt; filename*=UTF-8''%ZZ", "plain.txt"],
      ["C:\\secret\\x.doc", undefined, "x.doc"],
      ["../../etc/passwd", undefined, "passwd"],
      ["a\u202Etxt.exe", undefined, "a txt.exe"],
      ["a\r\nb", undefined, "a b"],
      ["..", undefined, "attachment"],
      ["", undefined, "attachment"],
      [undefined, undefined, "attachment"],
      ["x".repeat(500), undefined, "x".repeat(200)]
    ]
    for (const [query, header, name] of cases) assert.strictEqual(fileName(query, header), name, `${query} ${header}`)
  })

  it("accepts only valid part types", () => {
    const cases = [
      ["IMAGE/PNG; a=b", "image/png"],
      ["multipart/mixed; boundary=x", ""],
      ["message/rfc822", ""],
      ["text/html\r\nX: y", ""],
      ["nonsense", ""],
      [undefined, ""]
    ] as const
    for (const [given, type] of cases)
      assert.strictEqual(mediaType(given), type === "" ? "application/octet-stream" : type)
  })
})
