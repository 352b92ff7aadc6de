import { expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { vi } from "vitest"
import { ServiceTokens } from "#core/auth/ServiceTokens.ts"
import { inFrame } from "#support/Frame.ts"

const made = Effect.gen(function*() {
  const tokens = yield* ServiceTokens
  const { id, token } = yield* tokens.create({ name: "one", scope: "platform" })
  return { tokens, id, token }
})

it.live("only the hash of a token is stored", () =>
  inFrame(Effect.gen(function*() {
    const { token } = yield* made
    const sql = yield* SqlClient.SqlClient
    const text = Redacted.value(token)
    expect(text).toMatch(/^sbx_[\w-]{43}$/)
    const [row] = yield* sql<{ all: string; hash: Uint8Array }>`select t::text as all, hash from core.service_token t`
    expect(row!.all).not.toContain(text.slice(4))
    expect(Buffer.from(row!.hash).equals(createHash("sha256").update(text).digest())).toBe(true)
    expect(String(token)).not.toContain(text)
  })))

it.live("finds what it made and nothing else, and notes the use", () =>
  inFrame(Effect.gen(function*() {
    const { id, token, tokens } = yield* made
    expect((yield* tokens.list)[0]).toMatchObject({ id, name: "one", last_used_at: null, revoked_at: null })
    expect(yield* tokens.find(token)).toEqual({ id, name: "one", scope: "platform" })
    expect(yield* tokens.find(Redacted.make(`${Redacted.value(token)}x`))).toBeUndefined()
    expect(yield* tokens.find(Redacted.make(""))).toBeUndefined()
    expect((yield* tokens.list)[0]!.last_used_at).toBeInstanceOf(Date)
    expect(JSON.stringify(yield* tokens.list)).not.toContain("hash")
  })))

it.live("an expired token opens nothing", () =>
  inFrame(Effect.gen(function*() {
    const tokens = yield* ServiceTokens
    const past = yield* tokens.create({ name: "past", scope: "platform", expiresAt: new Date(Date.now() - 1) })
    const future = yield* tokens.create({ name: "future", scope: "platform", expiresAt: new Date(Date.now() + 60_000) })
    expect(yield* tokens.find(past.token)).toBeUndefined()
    expect((yield* tokens.find(future.token))?.name).toBe("future")
  })))

it.live("a revoked token works at most five seconds longer", () =>
  inFrame(Effect.gen(function*() {
    const { id, token, tokens } = yield* made
    const clock = vi.spyOn(Date, "now")
    yield* Effect.addFinalizer(() => Effect.sync(() => clock.mockRestore()))
    const now = Date.now()
    clock.mockReturnValue(now)
    expect((yield* tokens.find(token))?.id).toBe(id)
    expect(yield* tokens.revoke(id)).toBe(true)
    expect(yield* tokens.revoke(id)).toBe(false)
    clock.mockReturnValue(now + 5001)
    expect(yield* tokens.find(token)).toBeUndefined()
  })))

it.live("made-up tokens fill nothing for ever, and do not shut out the real one", () =>
  inFrame(Effect.gen(function*() {
    const { token, tokens } = yield* made
    yield* Effect.forEach(Array.from({ length: 1100 }, (_, n) => n), (n) => tokens.find(Redacted.make(`sbx_${n}`)), { concurrency: 8 })
    expect((yield* tokens.find(token))?.name).toBe("one")
  })))
