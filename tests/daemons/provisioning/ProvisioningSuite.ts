/**
 * Provisioning with the daemons whose credentials it hands out: the real identity and sip-config, and a double of the
 * mail server's administration, which answers requests for app passwords.
 */
import { Effect, Layer } from "effect"
import { DeviceRevoked, MailAppPassword } from "#core/contracts/Provisioning.ts"
import { MailAccountChanged } from "#core/contracts/MailAccounts.ts"
import * as Daemon from "#core/daemon/Daemon.ts"
import * as Feature from "#core/daemon/Feature.ts"
import * as Responder from "#core/requests/Responder.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { provisioning } from "#daemons/provisioning/Daemon.ts"
import { sipConfig } from "#daemons/sip-config/Daemon.ts"
import { startSuite, type TestSuite } from "#support/TestSuite.ts"
import { untilWithin } from "#support/Within.ts"

/** Password that the double makes for every device. */
export const appPassword = "app-password-of-the-double"

/** Answers requests for app passwords as mail-admin does, each after `before`. */
export const mailDoubleAfter = (before: Effect.Effect<unknown>) =>
  Daemon.make({
    name: "mail-double",
    title: "Mail",
    port: 0,
    features: [
      Feature.make({
        layer: Layer.effectDiscard(
          Responder.register({
            request: MailAppPassword,
            answer: ({ address }) => Effect.as(before, { login: address, password: appPassword })
          })
        )
      })
    ]
  })

export const mailDouble = mailDoubleAfter(Effect.void)

export const password = "a walk in the park 7"

export interface Person {
  readonly id: number
  readonly email: string
  /** Headers of the signed-in user. */
  readonly headers: Readonly<Record<string, string>>
}

/** Provisioning, identity, sip-config and the mail double behind the gateway. */
export const startProvisioning = Effect.fnUntraced(function* (
  options: Omit<Parameters<typeof startSuite>[0], "daemons"> & { readonly daemons?: ReadonlyArray<Daemon.Daemon> } = {}
) {
  const all = [identity, sipConfig, mailDouble, provisioning]
  const suite = yield* startSuite({
    daemons: all,
    fleet: all,
    gateway: true,
    ...options,
    env: {
      SIGNALBOX_GATEWAY_RATE: "100000",
      SIGNALBOX_GATEWAY_BURST: "100000",
      AUTH_RATE_LIMIT_MAX: "10000",
      SIGNALBOX_PUBLIC_URL: "https://box.example.org",
      ...options.env
    }
  })
  return { suite, ...(yield* helpers(suite)) }
})

/** Calls and people of a suite. */
export const helpers = Effect.fnUntraced(function* (suite: TestSuite) {
  const platform = { "x-service-token": yield* suite.token }
  const { sql } = suite
  const as =
    (headers: Readonly<Record<string, string>>) =>
    (method: string, path: string, body?: unknown, more: Readonly<Record<string, string>> = {}) =>
      suite.call(method, path, { headers: { ...headers, ...more }, ...(body === undefined ? {} : { body }) })
  const admin = as(platform)

  /** Waits until provisioning knows the row. */
  const known = (table: string, column: string, value: string | number) =>
    untilWithin(
      30,
      `${table} ${value} is known`,
      Effect.map(
        sql`select 1 from provisioning.${sql.literal(table)} where ${sql.literal(column)} = ${value}`,
        ({ length }) => length === 1
      )
    )

  const tenant = (name: string) =>
    Effect.map(admin("POST", "/api/v1/tenants", { name }), ({ json }) => json.id as number)

  let count = 0
  /** Creates and signs in a user. */
  const person = Effect.fnUntraced(function* (
    options: { readonly tenant?: number; readonly role?: string; readonly locale?: string; readonly name?: string } = {}
  ) {
    const email = `user${++count}@example.org`
    const made = yield* admin("POST", "/api/v1/users", {
      email,
      password,
      name: options.name ?? "Änna Müller",
      role: options.role ?? "user",
      locale: options.locale ?? "de",
      ...(options.tenant === undefined ? {} : { tenant_id: options.tenant })
    })
    if (made.status !== 201) return yield* Effect.die(new Error(`no user: ${made.text}`))
    const login = yield* suite.call("POST", "/api/v1/auth/login", { body: { email, password } })
    yield* known("known_user", "user_id", made.json.id)
    return { id: made.json.id, email, headers: { authorization: `Bearer ${login.json.access_token}` } } as Person
  })

  /** Gives the user an extension; returns its id. */
  const extension = Effect.fnUntraced(function* (user: Person, number: string, tenantId?: number) {
    const made = yield* admin("POST", "/api/v1/sip/extensions", {
      extension: number,
      name: "Anna",
      domain: "voice.example.org",
      user_id: user.id,
      ...(tenantId === undefined ? {} : { tenant_id: tenantId })
    })
    if (made.status !== 201) return yield* Effect.die(new Error(`no extension: ${made.text}`))
    yield* known("known_extension", "extension_id", made.json.id)
    return made.json.id as number
  })

  /** Gives the user a mailbox, by the event that mail-admin emits. */
  const mailbox = Effect.fnUntraced(function* (user: Person, address: string, tenantId = 1) {
    yield* sql`insert into core.event (type, source, tenant_id, data) values (${MailAccountChanged.type}, 'mail-admin',
      ${tenantId}, ${JSON.stringify({
        account_id: 1,
        address,
        user_id: user.id,
        tenant_id: tenantId,
        state: "active",
        is_default: true,
        version: 1
      })}::text::jsonb)`
    yield* sql`select pg_notify('signalbox', 'event')`
    yield* known("known_mailbox", "address", address)
  })

  /** Creates a link, and returns its path. */
  const link = Effect.fnUntraced(function* (user: Person, label?: string) {
    const body = label === undefined ? {} : { label }
    const made = yield* as(user.headers)("POST", "/api/v1/provisioning/client-tokens", body)
    if (made.status !== 201) return yield* Effect.die(new Error(`no link: ${made.text}`))
    const { pathname } = new URL(made.json.link)
    return { id: made.json.id as number, path: pathname, link: made.json.link as string, json: made.json }
  })

  const stateOf = (id: number) =>
    Effect.map(
      admin("GET", "/api/v1/provisioning/client-tokens"),
      ({ json }) => json.items.find((one: any) => one.id === id)?.state as string | undefined
    )

  /** Events of a type so far. */
  const eventsOf = (type: string) =>
    Effect.map(
      sql<{ data: any; user_id: number | null; tenant_id: number | null }>`select data, user_id, tenant_id
        from core.event where type = ${type} order by id`,
      (rows) => rows
    )
  const revocations = eventsOf(DeviceRevoked.type)

  return { admin, as, eventsOf, extension, known, link, mailbox, person, revocations, stateOf, tenant }
})
