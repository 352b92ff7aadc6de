/** A status-checker for a test of those who run it: three components that nothing measures, and calls of one caller. */
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { statusChecker } from "#daemons/status-checker/Daemon.ts"
import { fakeUsers } from "#support/FakeUsers.ts"
import { until } from "#support/Frame.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { startSuite, type TestSuite } from "#support/TestSuite.ts"

export const components = [
  { id: "webmail", name: "Webmail", name_en: "Webmail" },
  { id: "telephony", name: "Telefonie", name_en: "Telephony" },
  { id: "dns", name: "DNS", name_en: "DNS" }
] as const

/** A directory with a SERVICES_FILE, and the variables that name it. */
export const servicesFile = Effect.map(temporaryDirectory(), (directory) => {
  const file = join(directory, "services.json")
  writeFileSync(file, JSON.stringify(components))
  return { directory, env: { SERVICES_FILE: file } }
})

/** Users are `user:<tenant>:<permission>` (FakeUsers). */
export const startStatus = Effect.fnUntraced(function* (env: Readonly<Record<string, string>> = {}) {
  const files = yield* servicesFile
  return yield* startSuite({ daemons: [statusChecker], verifier: fakeUsers, env: { ...files.env, ...env } })
})

/** A user of the provider's who holds everything, or just `held`. */
export const provider = (held = "*") => as(1, held)
export const as = (tenant: number, held = "*") => ({ headers: { authorization: `Bearer user:${tenant}:${held}` } })

/**
 * Waits until the checker has read the stored states. Of the states that it has read it deletes those of components
 * that it does not measure. A test that writes such states must therefore write them afterwards.
 */
export const statesRead = ({ sql }: TestSuite) =>
  until(
    "the checker has read the stored states",
    Effect.map(sql`select from status_checker.checker`, ({ length }) => length > 0),
    30
  )

export const callsOf = (
  { call }: TestSuite,
  { headers: own }: { readonly headers: Readonly<Record<string, string>> }
) => {
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    call(method, `/api/v1/admin/${path}`, { headers: { ...own, ...headers }, ...(body === undefined ? {} : { body }) })
  const made = Effect.fnUntraced(function* (path: string, body: unknown) {
    const { json, status, text } = yield* send("POST", path, body)
    return status === 201 || status === 200 ? json : yield* Effect.die(new Error(`POST ${path}: ${status} ${text}`))
  })
  return {
    get: (path: string) => send("GET", path),
    post: (path: string, body?: unknown, headers?: Record<string, string>) => send("POST", path, body, headers),
    put: (path: string, body: unknown) => send("PUT", path, body),
    remove: (path: string) => send("DELETE", path),
    draft: (more: object = {}) => made("incidents", { ...outage, ...more }),
    published: (more: object = {}) => made("incidents", { ...outage, publish: true, ...more }),
    maintenance: (more: object = {}) => made("maintenance", { ...work, ...more })
  }
}

export const outage = {
  title: "Ausfall: Webmail",
  title_en: "Outage: Webmail",
  severity: "major",
  components: ["webmail"],
  message: "Wir suchen nach der Ursache.",
  message_en: "We are looking for the cause."
}

/** So many hours from now. */
export const hence = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

export const work = {
  title: "Wartung",
  title_en: "Maintenance",
  components: ["dns"],
  starts_at: hence(24),
  ends_at: hence(26)
}

/** Codes of problems beside their status and fields in order, to compare with. */
export const refusal = ({ json, status }: { readonly status: number; readonly json: any }) => [
  status,
  json?.code,
  ...(json?.errors === undefined
    ? []
    : [
        json.errors
          .map(({ field }: any) => field)
          .sort()
          .join(" ")
      ])
]
