/** A bank-fetcher for a test, and the calls that most tests begin with. */
import { Effect } from "effect"
import { bankFetcher } from "#daemons/bank-fetcher/Daemon.ts"
import { bankEnv } from "#support/bank/BankTls.ts"
import { fakeUsers } from "#support/FakeUsers.ts"
import { type StartOptions, startSuite, type TestSuite } from "#support/TestSuite.ts"

/** Users are `user:<tenant>:<permission>` (FakeUsers). */
export const startFetcher = ({ env = {}, ...options }: Partial<StartOptions> = {}) =>
  startSuite({ daemons: [bankFetcher], verifier: fakeUsers, env: { ...bankEnv, ...env }, ...options })

/** A user of `tenant` who holds everything, or just `held`. */
export const as = (tenant: number, held = "*") => ({ headers: { authorization: `Bearer user:${tenant}:${held}` } })

/** A valid German IBAN with this account number. */
export const iban = (account: number): string => {
  const bban = `37040044${String(account).padStart(10, "0")}`
  // Check digits modulo 97; DE is 1314.
  const rest = BigInt(`${bban}131400`) % 97n
  return `DE${String(98n - rest).padStart(2, "0")}${bban}`
}

/** Calls of one caller. */
export const callsOf = ({ call }: TestSuite, caller: { readonly headers: Readonly<Record<string, string>> }) => {
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    call(method, `/api/v1/crm/ebics/${path}`, {
      of: "bank-fetcher",
      headers: { ...caller.headers, ...headers },
      ...(body === undefined ? {} : { body })
    })
  return {
    get: (path: string, headers?: Record<string, string>) => send("GET", path, undefined, headers),
    post: (path: string, body?: unknown, headers?: Record<string, string>) => send("POST", path, body, headers),
    put: (path: string, body: unknown) => send("PUT", path, body),
    remove: (path: string) => send("DELETE", path),
    /** A new account, as the answer shows it. */
    account: Effect.fnUntraced(function* (body: object) {
      const { json, status, text } = yield* send("POST", "accounts", { name: "Main", ...body })
      return status === 201 ? json : yield* Effect.die(new Error(`${status} ${text}`))
    })
  }
}

/** Codes of problems beside their status, to compare with. */
export const refusal = ({ json, status }: { readonly status: number; readonly json: any }) => [
  status,
  json.code,
  ...(json.errors === undefined ? [] : [json.errors[0].field])
]
