/** A sip-config for tests, and common calls. */
import { Effect } from "effect"
import { sipConfig } from "#daemons/sip-config/Daemon.ts"
import { fakeUsers } from "#support/FakeUsers.ts"
import { type StartOptions, startSuite, type TestSuite } from "#support/TestSuite.ts"

/** Starts a sip-config. Users are `user:<tenant>:<permission>` (FakeUsers). */
export const startTelephony = (options: Partial<StartOptions> = {}) =>
  startSuite({ daemons: [sipConfig], verifier: fakeUsers, ...options })

/** A user of `tenant` with all permissions, or only `held`. */
export const as = (tenant: number, held = "*") => ({ headers: { authorization: `Bearer user:${tenant}:${held}` } })

/** API calls of one caller, on any suite with a sip-config. What the helpers create is confirmed by the provider. */
export const callsOf = (
  { call, sql, token }: TestSuite,
  caller: { readonly headers: Readonly<Record<string, string>> }
) => {
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    call(method, `/api/v1/sip/${path}`, {
      of: "sip-config",
      headers: { ...caller.headers, ...headers },
      ...(body === undefined ? {} : { body })
    })
  const made = Effect.fnUntraced(function* (path: string, body: unknown) {
    const { json, status, text } = yield* send("POST", path, body)
    return status === 201 ? json : yield* Effect.die(new Error(`POST ${path}: ${text}`))
  })
  const confirm = Effect.fnUntraced(function* (path: string) {
    const { json, status, text } = yield* call("POST", `/api/v1/sip/${path}`, { of: "sip-config", token: yield* token })
    return status === 200 ? json : yield* Effect.die(new Error(`POST ${path}: ${text}`))
  })
  /** An object in a SIP domain whose ownership the provider asserts. */
  const within = Effect.fnUntraced(function* (path: string, body: unknown) {
    const row = yield* made(path, body)
    const pending = yield* sql<{ id: number }>`select id from sip_config.sip_domain
      where tenant_id = ${row.tenant_id} and domain = ${row.domain} and not proven`
    for (const { id } of pending) yield* confirm(`domains/${id}/assert`)
    return pending.length === 0 || row.domain_state === undefined ? row : { ...row, domain_state: "proven" }
  })
  return {
    send,
    get: (path: string) => send("GET", path),
    post: (path: string, body?: unknown, headers?: Record<string, string>) => send("POST", path, body, headers),
    put: (path: string, body: unknown) => send("PUT", path, body),
    remove: (path: string) => send("DELETE", path),
    extension: (extension: string, more = {}) =>
      within("extensions", { extension, name: "Ann", domain: "voice.a.test", ...more }),
    trunk: (name: string, more = {}) => made("trunks", { name, host: "sip.provider.test", ...more }),
    /** A number that the provider assigns. */
    did: (number: string, destination_type: string, destination_id: number, more = {}) =>
      Effect.flatMap(made("dids", { number, name: "Main", destination_type, destination_id, ...more }), (row) =>
        row.state === "assigned" ? Effect.succeed(row) : confirm(`dids/${row.id}/assign`)
      ),
    line: (extension_id: number, trunk_id: number, more = {}) => made("lines", { extension_id, trunk_id, ...more }),
    ringGroup: (name: string, extensions: ReadonlyArray<string>, more = {}) =>
      within("ring-groups", { name, strategy: "simultaneous", ring_timeout: 20, extensions, ...more }),
    menu: (name: string, more = {}) => within("ivr-menus", { name, greeting: "ivr/hello.wav", ...more }),
    box: (box: string, more = {}) => within("voicemail-boxes", { box, name: "Ann", ...more }),
    external: (number: string, more = {}) => made("external-numbers", { number, name: "Mobile", ...more }),
    filter: (name: string, more = {}) => made("call-filters", { name, type: "blacklist", pattern: "+491*", ...more })
  }
}

/** Audit actions of these entities, oldest first. */
export const actions = ({ sql }: TestSuite, entity: string) =>
  Effect.map(sql<{ action: string }>`select action from core.audit where entity_type = ${entity} order by id`, (rows) =>
    rows.map(({ action }) => action.slice(entity.length + 1))
  )
