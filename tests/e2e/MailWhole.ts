/**
 * The complete mail system with real parts: four daemons behind the gateway; Postfix, Dovecot 2.3 and rspamd with the
 * shipped files; and a sink for outgoing mail. Two users of two tenants are created through the API, each with a
 * mailbox.
 */
import { Context, Effect, Layer } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { hashOf } from "#core/auth/ServiceTokenStore.ts"
import { commDispatcher } from "#daemons/comm-dispatcher/Daemon.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { mailAdmin } from "#daemons/mail-admin/Daemon.ts"
import { mailWatcher } from "#daemons/mail-watcher/Daemon.ts"
import { EventClient } from "#support/EventClient.ts"
import { until } from "#support/Frame.ts"
import * as MailSink from "#support/MailSink.ts"
import { freePort } from "#support/peers/Loopback.ts"
import * as MailDatabase from "#support/peers/MailDatabase.ts"
import * as MailStack from "#support/peers/MailStack.ts"
import * as Rspamd from "#support/peers/Rspamd.ts"
import * as Swaks from "#support/peers/Swaks.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { startSuite, type TestSuite } from "#support/TestSuite.ts"
import { answered } from "../daemons/identity/mail-login/Answered.ts"
import { mailServer, password } from "../daemons/mail-admin/Admin.ts"
import { shipped } from "../daemons/mail-admin/Shipped.ts"

/** Service tokens of the mail server, by scope. */
const secrets = { introspection: "sbx_asks-about-tokens", "mail-policy": "sbx_tells-of-wrong-passwords" }
const doveadmKey = "a-key-of-doveadm"

/** An external person whose mail server is the sink. */
export const customer = "kunde@far.test"

/** Starts everything. The mail server comes first, because the daemons need its ports. */
const start = Effect.gen(function* () {
  const [gatewayPort, doveadmPort] = [yield* freePort, yield* freePort]
  const rspamd = yield* Rspamd.make
  const sink = yield* MailSink.make()
  const mail = yield* MailDatabase.make
  const server = `127.0.0.1:${gatewayPort}`
  const stack = yield* MailStack.make({
    version: "2.3",
    mail,
    milterPort: rspamd.milterPort,
    outgoingPort: sink.port,
    tokens: { server, clientId: "dovecot", clientSecret: secrets.introspection },
    dovecotSettings: [
      shipped("2.3", "96-signalbox-auth-policy.conf", {
        "127.0.0.1:8080": server,
        SERVICE_TOKEN: secrets["mail-policy"],
        RANDOM_TEXT: "a-random-text"
      }),
      shipped("2.3", "96-signalbox-doveadm.conf", { "port = 8089": `port = ${doveadmPort}`, DOVEADM_KEY: doveadmKey }),
      // Loopback addresses are never banned, so tests set the client address explicitly.
      "login_trusted_networks = 127.0.0.0/8"
    ]
  })
  const ca = join(yield* temporaryDirectory(), "ca.pem")
  writeFileSync(ca, stack.certificate)
  const suite = yield* startSuite({
    daemons: [identity, mailAdmin, mailWatcher, commDispatcher],
    gateway: true,
    database: mail.database,
    env: {
      ...mailServer,
      SIGNALBOX_GATEWAY_PORT: String(gatewayPort),
      SIGNALBOX_MAIL_CONNECT_HOST: "localhost",
      SIGNALBOX_MAIL_IMAP_PORT: String(stack.imapsPort),
      SIGNALBOX_MAIL_SUBMISSION_PORT: String(stack.smtpsPort),
      SIGNALBOX_MAIL_CA: ca,
      SIGNALBOX_DKIM_DIR: rspamd.dkimDirectory,
      SIGNALBOX_POSTFIX_DIR: mail.postfixDir,
      SIGNALBOX_DOVEADM_URL: `http://127.0.0.1:${doveadmPort}`,
      SIGNALBOX_DOVEADM_KEY: doveadmKey
    }
  })
  for (const [scope, secret] of Object.entries(secrets)) {
    yield* suite.sql`insert into core.service_token (name, hash, scopes) values (${scope}, ${Buffer.from(hashOf(secret), "hex")}, ${[scope]})`
  }
  return { suite, stack, sink, platform: yield* callsOf(suite) }
})

/** API calls with the platform's service token. Each dies with the answer unless it succeeds. */
const callsOf = Effect.fnUntraced(function* (suite: TestSuite) {
  const token = yield* suite.token
  return Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
    const { json, status, text } = yield* suite.call(method, `/api/v1/${path}`, {
      token,
      ...(body === undefined ? {} : { body })
    })
    return status < 300 ? json : yield* Effect.die(new Error(`${method} ${path}: ${status} ${text}`))
  })
})

type Started = Effect.Success<typeof start>

/**
 * Creates a tenant with a domain and one user. The user has a mailbox, is signed in, and has an event socket subscribed
 * to everything.
 */
const person = Effect.fnUntraced(function* ({ platform, suite }: Started, name: string, domain: string) {
  const { id: tenant_id } = yield* platform("POST", "tenants", { name: domain })
  const { id: user_id } = yield* platform("POST", "users", {
    email: `${name}@people.test`,
    name,
    role: "user",
    password,
    tenant_id
  })
  const made = yield* platform("POST", "mail/domains", { domain, customer_id: 1, tenant_id })
  const { address, id: accountId } = yield* platform("POST", `mail/domains/${made.id}/accounts`, {
    local_part: name,
    password,
    user_id
  })
  const signedIn = yield* suite.call("POST", "/api/v1/auth/login", { body: { email: `${name}@people.test`, password } })
  if (signedIn.status !== 200) return yield* Effect.die(new Error(signedIn.text))
  const bearer = signedIn.json.access_token as string
  const socket = yield* Effect.acquireRelease(
    Effect.promise(() => EventClient.listening(suite.base(), { token: bearer })),
    (client) => Effect.sync(() => client.end())
  )
  const headers = { authorization: `Bearer ${bearer}` }
  /** API call as this user, below `/api/v1/`. */
  const ask = (method: string, path: string, body?: unknown) =>
    suite.call(method, `/api/v1/${path}`, { headers, ...(body === undefined ? {} : { body }) })
  const watch = Effect.map(ask("GET", "mail/webmail/watcher/status"), ({ json }) => json.items?.[0])
  yield* until(
    `${name}'s mailbox is watched`,
    Effect.map(watch, (now) => now?.mode === "notify" || now?.mode === "idle"),
    30
  )
  return {
    address: address as string,
    accountId: accountId as number,
    domain: made,
    socket,
    ask,
    watch,
    /** New-mail events on the user's socket. */
    heard: () => socket.events.filter(({ type }) => type === "mail.new_message").map(({ data }) => data),
    /** Webmail call as this user. Dies with the answer unless it succeeds. */
    webmail: Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
      // Each sign-in to the mailbox asks whether its token is good.
      const { json, status, text } = yield* answered(ask(method, `mail/webmail/${path}`, body))
      return status < 300 ? json : yield* Effect.die(new Error(`${method} ${path}: ${status} ${text}`))
    })
  }
})

export class MailWhole extends Context.Service<
  MailWhole,
  Started & {
    readonly anna: Effect.Success<ReturnType<typeof person>>
    /** A user of a different tenant. */
    readonly otto: Effect.Success<ReturnType<typeof person>>
    /** Sends a mail with swaks to port 25; default sender: the customer. */
    readonly deliver: (to: string, subject: string, more?: Partial<Swaks.SwaksMessage>) => Effect.Effect<void>
    /** New-mail events for an address in the event log, oldest first. */
    readonly logged: (address: string) => Effect.Effect<ReadonlyArray<{ readonly [name: string]: any }>>
  }
>()("test/MailWhole") {
  static readonly layer = Layer.effect(
    MailWhole,
    Effect.gen(function* () {
      const started = yield* start
      const { sql } = started.suite
      return {
        ...started,
        anna: yield* person(started, "anna", "haus.test"),
        otto: yield* person(started, "otto", "anders.test"),
        deliver: (to, subject, more = {}) =>
          Effect.orDie(
            Effect.flatMap(
              Swaks.send({ port: started.stack.smtpPort, from: customer, to, subject, body: "Guten Tag\n", ...more }),
              ({ accepted, transcript }) => (accepted ? Effect.void : Effect.die(new Error(transcript)))
            )
          ),
        logged: (address) =>
          Effect.orDie(
            Effect.map(
              sql<{
                data: any
              }>`select data from core.event where type = 'mail.new_message' and data->>'account' = ${address} order by id`,
              (rows) => rows.map(({ data }) => data)
            )
          )
      }
    })
  )
}
