/** The key steps of an account against a bank, in both protocol versions. */
import { describe, expect, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import type { BankDouble } from "#support/bank/BankDouble.ts"
import { startBank } from "#support/bank/BankTls.ts"
import type { TestSuite } from "#support/TestSuite.ts"
import { as, callsOf, iban, refusal, startFetcher } from "../Fetcher.ts"
import { hashesOf } from "./Hashes.ts"

interface Site extends TestSuite {
  readonly bank: BankDouble
  readonly url: string
}

class Suite extends Context.Service<Suite, Site>()("test/Suite") {
  static readonly layer = Layer.effect(
    Suite,
    Effect.gen(function* () {
      const { bank, url } = yield* startBank()
      return { ...(yield* startFetcher()), bank, url }
    })
  )
}

let users = 0

/** An account with EBICS ids, and its user at the bank. */
const place = Effect.fnUntraced(function* (more: object = {}) {
  const suite = yield* Suite
  const calls = callsOf(suite, as(31))
  const userId = `USER${++users}`
  const user = suite.bank.agree("PARTNER", userId)
  const account = yield* calls.account({
    iban: iban(users),
    host_id: "EBIXHOST",
    partner_id: "PARTNER",
    user_id: userId,
    server_url: suite.url,
    key_bits: 2048,
    ...more
  })
  const keys = `accounts/${account.id}/keys`
  const step = (name: string, body?: unknown) => calls.post(`${keys}/${name}`, body)
  return { ...suite, calls, user, account, keys, step, status: calls.get(`${keys}/status`) }
})

describe("key steps", () => {
  layer(Suite.layer, { excludeTestServices: true })((it) => {
    it.effect.each(["H005", "H004"] as const)(
      "lead to active with %s, each once, and the bank has our keys",
      Effect.fnUntraced(function* (version) {
        const { bank, keys, status, step, user, calls } = yield* place(
          version === "H004" ? { ebics_version: "H004" } : {}
        )
        expect(refusal(yield* step("ini"))).toEqual([409, "wrong_step"])
        const states: Array<unknown> = []
        for (const name of ["init", "init", "ini", "ini", "hia", "hia", "activate"]) {
          const { json, status: code } = yield* step(name)
          states.push([code, json.key_status, json.next])
        }
        expect(states).toEqual([
          [200, "keys_generated", "ini"],
          [200, "keys_generated", "ini"],
          [200, "ini_sent", "hia"],
          [200, "ini_sent", "hia"],
          [200, "hia_sent", "activate"],
          [200, "hia_sent", "activate"],
          [200, "hia_sent", "activate"]
        ])
        expect((yield* status).json.last_answer).toMatchObject({ step: "activate", code: "091002" })
        bank.release(user)
        const active = (yield* step("activate")).json
        expect(active).toMatchObject({ key_status: "active", next: "accept", ready: false, ebics_version: version })
        expect(active.bank_keys.accepted).toBeNull()
        expect(bank.calls.filter(({ what }) => what === "INI").length).toBe(users)
        const { offered } = active.bank_keys
        expect(offered.authentication.hash.join(" ").replaceAll(" ", "")).toBe(hashesOf(bank.keys.authentication))
        const wrong = { authentication: "00".repeat(32), encryption: offered.encryption.hash.join(" ") }
        expect(refusal(yield* step("bank/accept", wrong))).toEqual([409, "hashes_differ"])
        const right = {
          authentication: offered.authentication.hash.join(":").toLowerCase(),
          encryption: offered.encryption.hash.join(" ")
        }
        for (const answer of [yield* step("bank/accept", right), yield* step("bank/accept", right)])
          expect(answer.json).toMatchObject({ ready: true, next: null, stopped: null })
        const listed = (yield* calls.get(`accounts/${keys.split("/")[1]}`)).json
        expect(listed).toMatchObject({ ready: true, key_status: "active" })
      })
    )
  })
})
