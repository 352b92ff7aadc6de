/** A bank-fetcher beside a bank, and an account that is known to both. */
import { Context, Effect, Layer } from "effect"
import type { BankDouble } from "#support/bank/BankDouble.ts"
import { startBank } from "#support/bank/BankTls.ts"
import type { TestSuite } from "#support/TestSuite.ts"
import { as, callsOf, iban, startFetcher } from "../Fetcher.ts"

export interface Site extends TestSuite {
  readonly bank: BankDouble
  readonly url: string
}

export class BankSite extends Context.Service<BankSite, Site>()("test/BankSite") {
  static readonly layer = Layer.effect(
    BankSite,
    Effect.gen(function* () {
      const { bank, url } = yield* startBank()
      return { ...(yield* startFetcher()), bank, url }
    })
  )
}

/** Tenant of `place`. */
export const tenant = 31

let users = 0

/** An account with EBICS ids, and its user at the bank. */
export const place = Effect.fnUntraced(function* (more: object = {}) {
  const suite = yield* BankSite
  const calls = callsOf(suite, as(tenant))
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
  const own = `accounts/${account.id}`
  const step = (name: string, body?: unknown) => calls.post(`${own}/keys/${name}`, body)
  const status = Effect.map(calls.get(`${own}/keys/status`), ({ json }) => json)
  /** Accepts the keys that the bank sent last. */
  const accept = Effect.gen(function* () {
    const { offered } = (yield* status).bank_keys
    const text = (key: any) => key.hash.join(" ")
    return yield* step("bank/accept", {
      authentication: text(offered.authentication),
      encryption: text(offered.encryption)
    })
  })
  /** All steps until statements can be fetched. */
  const setUp = Effect.gen(function* () {
    for (const name of ["init", "ini", "hia"]) yield* step(name)
    suite.bank.release(user)
    yield* step("activate")
    return (yield* accept).json
  })
  return { ...suite, calls, user, account, own, step, status, accept, setUp }
})
