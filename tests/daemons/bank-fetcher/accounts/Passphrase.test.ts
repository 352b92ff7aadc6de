/** Private keys under a passphrase that is only in memory, and that no secret leaves the daemon. */
import { describe, expect, layer } from "@effect/vitest"
import { Effect, Redacted, Result } from "effect"
import { createPrivateKey } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { contextOf, open, parseKeys } from "#core/config/Secrets.ts"
import { sealedKeys } from "#daemons/bank-fetcher/accounts/keys/PrivateKeys.ts"
import { captured } from "#support/CapturedOutput.ts"
import { untilWithin } from "#support/Within.ts"
import { as, callsOf, refusal, startFetcher } from "../Fetcher.ts"
import { scan } from "../../../hostile/SecretScan.ts"
import { BankSite, place, tenant } from "./BankSite.ts"

const passphrase = "correct horse battery 7"

describe("keys with a passphrase", () => {
  layer(BankSite.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "wait for it in each new process, health names the account, and the wrong one opens nothing",
      Effect.fnUntraced(function* () {
        const { account, bank, database, env, own, setUp, step, user } = yield* place()
        expect(refusal(yield* step("init", { passphrase: "short" }))).toEqual([
          422,
          "invalid_request",
          "payload.passphrase"
        ])
        yield* step("init", { passphrase })
        expect(yield* setUp).toMatchObject({ with_passphrase: true, locked: false, ready: true })
        expect(user.state).toBe("Ready")
        yield* Effect.scoped(
          Effect.gen(function* () {
            // Another process with the same database and key file.
            const other = yield* startFetcher({ database, env })
            const calls = callsOf(other, as(tenant))
            const status = Effect.map(calls.get(`${own}/keys/status`), ({ json }) => json)
            expect(yield* status).toMatchObject({ locked: true, ready: false, next: "unlock" })
            const before = bank.calls.length
            expect(refusal(yield* calls.post(`${own}/permissions`))).toEqual([409, "keys_locked"])
            expect(refusal(yield* calls.post(`${own}/keys/bank/refresh`))).toEqual([409, "keys_locked"])
            expect(bank.calls.length).toBe(before)
            const health = Effect.map(
              other.call("GET", "/health", { of: "bank-fetcher" }),
              ({ json }) => json.components.bank_keys
            )
            yield* untilWithin(
              30,
              "the account in health",
              Effect.map(health, (found) => found.status === "degraded" && found.locked.includes(account.id))
            )
            const wrong = yield* calls.post(`${own}/keys/unlock`, { passphrase: `${passphrase}!` })
            expect(refusal(wrong)).toEqual([422, "invalid_request", "payload.passphrase"])
            expect((yield* status).locked).toBe(true)
            const unlocked = yield* calls.post(`${own}/keys/unlock`, { passphrase })
            expect(unlocked.json).toMatchObject({ locked: false, ready: true, next: null })
            expect((yield* health).status).toBe("ok")
            expect((yield* calls.post(`${own}/permissions`)).status).toBe(200)
          })
        )
      }),
      // Makes RSA keys.
      120_000
    )

    it.effect(
      "and without one never leave the daemon: logs, answers, audit log and tables have neither key nor passphrase",
      Effect.fnUntraced(function* () {
        const { sql } = yield* BankSite
        const story = Effect.gen(function* () {
          const texts: Array<string> = []
          for (const body of [undefined, { passphrase }]) {
            const { accept, account, bank, calls, own, status, step, user } = yield* place()
            const told = (answer: Effect.Effect<{ readonly text: string }>) =>
              Effect.map(answer, ({ text }) => void texts.push(text))
            yield* told(step("init", body))
            bank.failNext("html502", "cut", "html502")
            for (const name of ["ini", "ini", "ini", "ini", "hia", "activate"]) yield* told(step(name))
            bank.release(user)
            yield* told(step("activate"))
            yield* told(accept)
            bank.failNext("wrongSignature")
            yield* told(calls.post(`${own}/permissions`))
            yield* told(step("unlock", { passphrase: `${passphrase} 2` }))
            yield* told(calls.get(`${own}/keys/ini-letter`))
            // A passphrase in a wrong place is not repeated in the refusal.
            yield* told(calls.post("accounts", { name: "x", [passphrase]: passphrase }))
            yield* told(step("reset", { confirm: passphrase }))
            texts.push(JSON.stringify(yield* status))
            opened.push(account.id)
          }
          return texts
        })
        const opened: Array<string> = []
        const { text, value } = yield* captured(story)
        const keys = yield* openKeys(opened[0]!)
        expect(keys).toHaveLength(12)
        const rows = yield* sql.unsafe<{ text: string }>(`select to_jsonb(a)::text as text from bank_fetcher.account a
          union all select to_jsonb(k)::text from bank_fetcher.account_key k
          union all select to_jsonb(u)::text from core.audit u where entity_type = 'bank_account'
          union all select to_jsonb(i)::text from core.idempotency_key i`)
        const places = [
          { name: "log", text },
          ...value.map((one, index) => ({ name: `answer ${index}`, text: one })),
          ...rows.map((row, index) => ({ name: `row ${index}`, text: row.text }))
        ]
        const secrets = new Map([
          ["passphrase", passphrase],
          ...keys.map((key, index) => [`key ${index}`, key] as const)
        ])
        expect(scan(secrets, places)).toEqual([])
        // The scan finds a piece of a key where there is one.
        for (const key of keys)
          expect(scan(secrets, [{ name: "leak", text: `x ${key.slice(100, 160)} x` }])).not.toEqual([])
        expect(rows.length).toBeGreaterThan(10)
      }),
      // It makes six RSA keys, of which a slow machine may make one in two seconds.
      120_000
    )
  })
})

/** Private parts of an account's keys, in the forms in which they could leak: PKCS #8 as base64, hex, and JWK. */
const openKeys = Effect.fnUntraced(function* (accountId: string) {
  const { env, sql } = yield* BankSite
  const keys = Result.getOrThrow(parseKeys(readFileSync(join(env["SIGNALBOX_DATA_DIR"]!, "keys"), "utf8")))
  const rows = yield* sql<{ id: string; private_key: string }>`select id, private_key from bank_fetcher.account_key
    where account_id = ${accountId}`
  return rows.flatMap(({ id, private_key: envelope }) => {
    const text = Redacted.value(Result.getOrThrow(open(keys, envelope, contextOf(sealedKeys, id))))
    const der = Buffer.from(text, "base64")
    const jwk = createPrivateKey({ key: der, format: "der", type: "pkcs8" }).export({ format: "jwk" })
    // The public modulus is before this byte.
    const begin = 300
    return [text.slice((begin / 3) * 4), der.subarray(begin).toString("hex"), jwk.d!, jwk.p!]
  })
})
