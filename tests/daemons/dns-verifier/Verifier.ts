/** A dns-verifier for a test, and the calls that most tests begin with. */
import { Effect } from "effect"
import { dnsVerifier } from "#daemons/dns-verifier/Daemon.ts"
import { fakeUsers } from "#support/FakeUsers.ts"
import { type StartOptions, startSuite, type TestSuite } from "#support/TestSuite.ts"
import { type SmallDns, smallDns } from "./SmallDns.ts"

/** The platform's addresses in tests. */
export const ipv4 = "192.0.2.10"
export const ipv6 = "2001:db8::10"

/** What is sent as an account's credentials where any will do. */
export const credentials = { api_token: "a".repeat(64) }

export interface Verifier extends TestSuite {
  readonly dns: SmallDns
}

/**
 * Users are `user:<tenant>:<permission>` (FakeUsers). The sweep looks at nothing: whatever is made here is due half a
 * day from now, so that only the calls of the test change it.
 */
export const startVerifier = Effect.fnUntraced(function* ({ env = {}, ...options }: Partial<StartOptions> = {}) {
  const dns = yield* smallDns
  const suite = yield* startSuite({
    daemons: [dnsVerifier],
    verifier: fakeUsers,
    env: { SIGNALBOX_PLATFORM_IPV4: ipv4, SIGNALBOX_PLATFORM_IPV6: ipv6, ...dns.env, ...env },
    ...options
  })
  const day = 86_400_000
  const phase = (Date.now() / day + 0.5) % 1
  for (const table of ["domain", "mail_domain"]) {
    yield* suite.sql.unsafe(
      `alter table dns_verifier.${table} alter column check_every set default 1440, alter column phase set default ${phase}`
    )
  }
  return { ...suite, dns } satisfies Verifier as Verifier
})

/** A user of `tenant` who holds everything, or just `held`. */
export const as = (tenant: number, held = "*") => ({ headers: { authorization: `Bearer user:${tenant}:${held}` } })

/** Calls of one caller, on any suite with a dns-verifier. */
export const callsOf = ({ call, token }: TestSuite, caller: { readonly headers: Readonly<Record<string, string>> }) => {
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    call(method, `/api/v1/${path}`, {
      of: "dns-verifier",
      headers: { ...caller.headers, ...headers },
      ...(body === undefined ? {} : { body })
    })
  const made = Effect.fnUntraced(function* (path: string, body: unknown) {
    const { json, status, text } = yield* send("POST", path, body)
    return status === 201 ? json : yield* Effect.die(new Error(`POST ${path}: ${status} ${text}`))
  })
  return {
    get: (path: string, headers?: Record<string, string>) => send("GET", path, undefined, headers),
    post: (path: string, body?: unknown, headers?: Record<string, string>) => send("POST", path, body, headers),
    put: (path: string, body: unknown) => send("PUT", path, body),
    remove: (path: string) => send("DELETE", path),
    /** A domain whose ownership the provider asserts. */
    domain: Effect.fnUntraced(function* (name: string, more = {}) {
      const row = yield* made("domains", { name, customer_id: 5, ...more })
      if (row.ownership.state === "proven") return row
      const { json, status, text } = yield* call("POST", `/api/v1/domains/${row.id}/assert`, {
        of: "dns-verifier",
        token: yield* token
      })
      return status === 200 ? json : yield* Effect.die(new Error(text))
    }),
    record: (domain: number, type: string, name: string, content: string, more = {}) =>
      made(`domains/${domain}/records`, { type, name, content, ...more }),
    provider: (type: string, more = {}) => made("dns-providers", { customer_id: 5, name: "Main", type, ...more })
  }
}

/** Codes of problems beside their status, to compare with. */
export const refusal = ({ json, status }: { readonly status: number; readonly json: any }) => [
  status,
  json.code,
  ...(json.errors === undefined ? [] : [json.errors[0].field])
]
