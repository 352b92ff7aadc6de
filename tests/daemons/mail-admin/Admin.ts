/** A mail-admin for tests, and common calls. */
import { Effect } from "effect"
import { mailAdmin } from "#daemons/mail-admin/Daemon.ts"
import { fakeUsers } from "#support/FakeUsers.ts"
import { type StartOptions, startSuite, type TestSuite } from "#support/TestSuite.ts"

export const mailServer = { SIGNALBOX_MAIL_HOST: "mx.provider.test", SIGNALBOX_PLATFORM_IPV4: "192.0.2.10" }

/** A free port, so that parallel tests do not collide. */
const anyPort = { SIGNALBOX_MAIL_LOOKUP_PORT: "0" }

/** Starts a mail-admin. Users are `user:<tenant>:<permission>` (FakeUsers). */
export const startAdmin = (options: Partial<StartOptions> = {}) =>
  startSuite({
    daemons: [mailAdmin],
    verifier: fakeUsers,
    ...options,
    env: { ...anyPort, ...(options.env ?? mailServer) }
  })

export const password = "four words in a row"

/** A user of `tenant` with all permissions, or only `held`. */
export const as = (tenant: number, held = "*") => ({ headers: { authorization: `Bearer user:${tenant}:${held}` } })

/** API calls of one caller, on any suite with a mail-admin. */
export const callsOf = ({ call, suite, token }: TestSuite, caller: { readonly headers: Record<string, string> }) => {
  /** Behind a gateway only the gateway listens. */
  const to = suite.addresses.has("mail-admin") ? { of: "mail-admin" } : {}
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    call(method, `/api/v1/mail/${path}`, {
      ...to,
      headers: { ...caller.headers, ...headers },
      ...(body === undefined ? {} : { body })
    })
  const made = Effect.fnUntraced(function* (path: string, body: unknown) {
    const { json, status, text } = yield* send("POST", path, body)
    return status === 201 ? json : yield* Effect.die(new Error(`POST ${path}: ${text}`))
  })
  return {
    send,
    get: (path: string) => send("GET", path),
    post: (path: string, body?: unknown, headers?: Record<string, string>) => send("POST", path, body, headers),
    put: (path: string, body: unknown) => send("PUT", path, body),
    remove: (path: string) => send("DELETE", path),
    /** A domain whose ownership the provider asserts. */
    domain: Effect.fnUntraced(function* (domain: string, more = {}) {
      const { id } = yield* made("domains", { domain, customer_id: 5, ...more })
      const asserted = yield* call("POST", `/api/v1/mail/domains/${id}/assert`, { ...to, token: yield* token })
      return asserted.status === 200 ? asserted.json : yield* Effect.die(new Error(asserted.text))
    }),
    account: (domainId: number, local_part: string, more = {}) =>
      made(`domains/${domainId}/accounts`, { local_part, password, ...more }),
    alias: (domainId: number, source: string, destination: string) =>
      made(`domains/${domainId}/aliases`, { source, destination })
  }
}

/** Data of all events whose type begins with `prefix`, oldest first, with their type. */
export const events = ({ sql }: TestSuite, prefix: string) =>
  Effect.map(
    sql<{ type: string; data: any }>`select type, data from core.event where type like ${`${prefix}%`} order by id`,
    (rows) => rows.map(({ data, type }) => ({ type, ...data }))
  )
