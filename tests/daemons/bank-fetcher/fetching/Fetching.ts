/** The daemon with a bank double, and what tests of fetches ask of it. */
import { Effect } from "effect"
import { bankFetcher } from "#daemons/bank-fetcher/Daemon.ts"
import type { FetchView } from "#daemons/bank-fetcher/fetching/Api.ts"
import { BankDouble, type BankDoubleOptions } from "#support/bank/BankDouble.ts"
import { fakeUsers } from "#support/FakeUsers.ts"
import { until } from "#support/Frame.ts"
import { type StartOptions, startSuite } from "#support/TestSuite.ts"
import { type AccountOptions, activeAccount } from "./BankAccounts.ts"

export type Fetch = typeof FetchView.Type

/** Headers of a user of the tenant. */
export const as = (tenant: number, permission = "*") => ({
  headers: { authorization: `Bearer user:${tenant}:${permission}` }
})

/** A bank double for the length of the scope. */
export const startBank = (options: BankDoubleOptions = {}) =>
  Effect.gen(function* () {
    const bank = new BankDouble(options)
    const url = yield* Effect.acquireRelease(
      Effect.promise(() => bank.start()),
      () => Effect.promise(() => bank.stop())
    )
    return { bank, url }
  })

/** `minute`: milliseconds in a minute of the pauses. */
export const startFetching = Effect.fnUntraced(function* (
  options: { readonly minute?: number } & Partial<StartOptions> = {}
) {
  const { minute = 4_000, ...rest } = options
  const suite = yield* startSuite({
    daemons: [bankFetcher],
    verifier: fakeUsers,
    ...rest,
    env: { SIGNALBOX_BANK_ALLOW_CIDRS: "127.0.0.0/8", SIGNALBOX_BANK_MINUTE_MS: String(minute), ...rest.env }
  })
  const prefix = "/api/v1/crm/ebics"
  const show = (id: string, tenant = 1) =>
    Effect.map(suite.call("GET", `${prefix}/fetches/${id}`, as(tenant)), ({ json }) => json as Fetch)
  return {
    ...suite,
    /** An active account at the bank. */
    account: (to: { readonly bank: BankDouble; readonly url: string }, account: AccountOptions = {}) =>
      activeAccount(suite.sql, suite.env["SIGNALBOX_DATA_DIR"]!, to.bank, to.url, account),
    /** Requests a fetch. */
    request: (account: { readonly id: string; readonly tenant: number }, body: object = {}) =>
      suite.call("POST", `${prefix}/accounts/${account.id}/fetch`, { ...as(account.tenant), body }),
    show,
    /** Waits for a state of a fetch. */
    reached: (id: string, tenant: number, ...states: ReadonlyArray<string>) =>
      Effect.gen(function* () {
        let seen = yield* show(id, tenant)
        yield* until(
          `fetch to be ${states.join(" or ")}; it is ${JSON.stringify(seen)}`,
          Effect.gen(function* () {
            seen = yield* show(id, tenant)
            return states.includes(seen.state)
          }),
          30
        )
        return seen
      }),
    /** All fetches of a tenant, newest first. */
    fetches: (tenant: number, query = "") =>
      Effect.map(
        suite.call("GET", `${prefix}/fetches${query}`, as(tenant)),
        ({ json }) => json.items as ReadonlyArray<Fetch>
      )
  }
})
