import { expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { ServiceTokens } from "#core/auth/ServiceTokens.ts"
import * as Store from "#core/auth/ServiceTokenStore.ts"
import { holdsAfter, inFrame, until } from "#support/Frame.ts"

/** Asks again when the database does not answer in time: then nothing is known of a token. */
const patient = Effect.map(ServiceTokens, ({ find }) => ({
  find: (token: Redacted.Redacted) => Effect.retry(find(token), { times: 20 })
}))

const made = Effect.gen(function* () {
  const tokens = yield* patient
  const { id, token } = yield* Store.create({ name: "one", scopes: ["platform"] })
  return { tokens, id, token }
})

it.live("only the hash of a token is stored", () =>
  inFrame(
    Effect.gen(function* () {
      const { token } = yield* made
      const sql = yield* SqlClient.SqlClient
      const text = Redacted.value(token)
      expect(text).toMatch(/^sbx_[\w-]{43}$/)
      const [row] = yield* sql<{ all: string; hash: Uint8Array }>`select t::text as all, hash from core.service_token t`
      expect(row!.all).not.toContain(text.slice(4))
      expect(Buffer.from(row!.hash).equals(createHash("sha256").update(text).digest())).toBe(true)
      expect(String(token)).not.toContain(text)
    })
  )
)

it.live("finds only created tokens, and records their use", () =>
  inFrame(
    Effect.gen(function* () {
      const { id, token, tokens } = yield* made
      expect((yield* Store.list)[0]).toMatchObject({ id, name: "one", last_used_at: null, revoked_at: null })
      expect(yield* tokens.find(token)).toMatchObject({ id, name: "one", scopes: new Set(["platform"]) })
      expect(yield* tokens.find(Redacted.make(`${Redacted.value(token)}x`))).toBeUndefined()
      expect(yield* tokens.find(Redacted.make(""))).toBeUndefined()
      yield* until(
        "the use is noted",
        Effect.map(Store.list, ([first]) => first!.last_used_at instanceof Date)
      )
      expect(JSON.stringify(yield* Store.list)).not.toContain("hash")
    })
  )
)

it.live("finds a token that is newer than the rows in memory, without an announcement", () =>
  inFrame(
    Effect.gen(function* () {
      const { id, token, tokens } = yield* made
      const sql = yield* SqlClient.SqlClient
      expect((yield* tokens.find(token))?.id).toBe(id)
      const text = `sbx_${"n".repeat(43)}`
      yield* sql`update core.service_token set hash = ${createHash("sha256").update(text).digest()} where id = ${id}`
      expect((yield* tokens.find(Redacted.make(text)))?.id).toBe(id)
    })
  )
)

it.live("an expired token is refused", () =>
  inFrame(
    Effect.gen(function* () {
      const tokens = yield* patient
      const past = yield* Store.create({ name: "past", scopes: ["platform"], expiresAt: new Date(Date.now() - 1) })
      const future = yield* Store.create({
        name: "future",
        scopes: ["workflows.manage", "ocr.read"],
        expiresAt: new Date(Date.now() + 60_000)
      })
      expect(yield* tokens.find(past.token)).toBeUndefined()
      expect((yield* tokens.find(future.token))?.scopes).toEqual(new Set(["workflows.manage", "ocr.read"]))
    })
  )
)

it.live("a revoked token is refused within a second, also without an announcement", () =>
  inFrame(
    Effect.gen(function* () {
      const { id, token, tokens } = yield* made
      const sql = yield* SqlClient.SqlClient
      expect((yield* tokens.find(token))?.id).toBe(id)
      yield* sql`update core.service_token set revoked_at = now() where id = ${id}`
      yield* holdsAfter(
        1_000,
        "it is refused",
        Effect.map(tokens.find(token), (found) => found === undefined)
      )
      expect(yield* Store.revoke(id)).toBe(false)
    })
  )
)

it.live("a revocation is announced at once", () =>
  inFrame(
    Effect.gen(function* () {
      const { id, token, tokens } = yield* made
      expect((yield* tokens.find(token))?.id).toBe(id)
      expect(yield* Store.revoke(id)).toBe(true)
      yield* until(
        "it is refused",
        Effect.map(tokens.find(token), (found) => found === undefined)
      )
    })
  )
)

it.live("invented tokens use limited memory, and do not block valid ones", () =>
  inFrame(
    Effect.gen(function* () {
      const { token, tokens } = yield* made
      yield* Effect.forEach(
        Array.from({ length: 1100 }, (_, n) => n),
        (n) => tokens.find(Redacted.make(`sbx_${n}`)),
        { concurrency: 8 }
      )
      expect((yield* tokens.find(token))?.name).toBe("one")
    })
  )
)
