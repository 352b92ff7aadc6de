/** A watchdog for tests of bans, and common calls. */
import { Effect } from "effect"
import { watchdog } from "#daemons/watchdog/Daemon.ts"
import { fakeUsers } from "#support/FakeUsers.ts"
import { until } from "#support/Frame.ts"
import { type StartOptions, startSuite, type TestSuite } from "#support/TestSuite.ts"

export const startWatchdog = (options: Partial<StartOptions> = {}) =>
  startSuite({ daemons: [watchdog], verifier: fakeUsers, ...options })

/** A user of `tenant` with all permissions, or only `held`. */
export const as = (tenant: number, held = "*") => ({ authorization: `Bearer user:${tenant}:${held}` })

/** Calls of one caller; default: an admin of the provider. */
export const callsOf = (suite: TestSuite, headers: Record<string, string> = as(1)) => {
  const send = (method: string, path: string, body?: unknown) =>
    suite.call(method, `/api/v1/security/${path}`, { of: "watchdog", headers, ...(body === undefined ? {} : { body }) })
  return {
    get: (path: string) => send("GET", path),
    post: (path: string, body: unknown) => send("POST", path, body),
    remove: (path: string) => send("DELETE", path)
  }
}

/** Emits an event as another daemon does. */
export const emit = ({ sql }: TestSuite, type: string, data: object, source = "sip-config") =>
  Effect.andThen(
    sql`insert into core.event (type, source, data) values (${type}, ${source}, ${sql.json(data)})`,
    sql`select pg_notify('signalbox', 'event')`
  )

/** Emits a ban for an hour. */
export const banned = (suite: TestSuite, address: string, rule = "sip-brute-force", seconds = 3_600) =>
  emit(suite, "security.ban.added", { address, rule, until: new Date(Date.now() + seconds * 1_000), reason: "test" })

/** Addresses of the active bans, in the order of the list. */
export const addresses = (suite: TestSuite, query = "") =>
  Effect.map(callsOf(suite).get(`decisions?limit=200${query}`), ({ json }): ReadonlyArray<string> =>
    (json.items ?? []).map(({ address }: { readonly address: string }) => address)
  )

export const listBecomes = (suite: TestSuite, wanted: ReadonlyArray<string>, query = "") =>
  until(
    `the bans are ${wanted.join(", ")}`,
    Effect.map(addresses(suite, query), (found) => found.join() === wanted.join()),
    30
  )
