/**
 * Who answers a mail server's question whether a token is good, and what may happen to tokens, mailboxes and to the one who
 * answers. `startIntrospection` alone says who that is; here a stand-in that answers word for word as ours is to:
 * `POST /api/v1/auth/token/introspect`, RFC 7662, caller by Basic or in the form.
 */
import { Effect, type Scope } from "effect"
import { randomUUID } from "node:crypto"
import type { Socket } from "node:net"
import { HttpDouble, type Incoming } from "#support/HttpDouble.ts"
import type { TokenCheck } from "#support/peers/DovecotSnippet.ts"

export interface Introspection {
  /** For config/dovecot. */
  readonly check: TokenCheck
  /** A fresh mail token of this mailbox. */
  readonly tokenFor: (address: string) => Effect.Effect<string>
  /** A mail token whose time is over. */
  readonly expiredTokenFor: (address: string) => Effect.Effect<string>
  readonly revoke: (token: string) => Effect.Effect<void>
  readonly suspend: (address: string) => Effect.Effect<void>
  /** `database`: nothing can be looked up; `silent`: takes questions and answers none; `gone`: nobody listens. */
  readonly away: (how: Outage) => Effect.Effect<void>
  readonly back: Effect.Effect<void>
}

export type Outage = "database" | "silent" | "gone"

interface Mailbox {
  readonly tokens: Map<string, { readonly address: string; readonly expires: number }>
  readonly suspended: Set<string>
}

/** How long a token holds. Unit: seconds. */
const lifetime = 3_600

export const startIntrospection: Effect.Effect<Introspection, never, Scope.Scope> = Effect.gen(function*() {
  const state: Mailbox = { tokens: new Map(), suspended: new Set() }
  const caller = { clientId: "dovecot", clientSecret: `svc-${randomUUID()}` }
  let outage: Outage | undefined
  const held = new Set<Socket>()
  const handle = ({ request, response, body }: Incoming) => {
    if (outage === "silent") return void held.add(request.socket)
    const [status, answer] = outage === "database" ? unavailable : introspect(state, caller, request.headers.authorization, body)
    response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" }).end(JSON.stringify(answer))
  }
  let double = new HttpDouble(handle)
  yield* Effect.addFinalizer(() => Effect.promise(() => double.stop()))
  const server = new URL(yield* Effect.promise(() => double.start())).host

  const issue = (address: string, seconds: number) =>
    Effect.sync(() => {
      const token = `${randomUUID()}.${"x".repeat(600)}`
      state.tokens.set(token, { address, expires: Math.floor(Date.now() / 1_000) + seconds })
      return token
    })
  return {
    check: { server, ...caller },
    tokenFor: (address) => issue(address, lifetime),
    expiredTokenFor: (address) => issue(address, -1),
    revoke: (token) => Effect.sync(() => void state.tokens.delete(token)),
    suspend: (address) => Effect.sync(() => void state.suspended.add(address)),
    away: (how) =>
      Effect.promise(async () => {
        outage = how
        if (how === "gone") await double.stop()
      }),
    back: Effect.promise(async () => {
      for (const socket of held) socket.destroy()
      held.clear()
      if (outage === "gone") {
        double = new HttpDouble(handle)
        await double.start(Number(new URL(`http://${server}`).port))
      }
      outage = undefined
    })
  }
})

const unavailable = [503, { type: "about:blank", title: "Service Unavailable", status: 503, code: "database_unavailable" }] as const

const introspect = (state: Mailbox, caller: Omit<TokenCheck, "server">, authorization: string | undefined, body: string) => {
  const form = new URLSearchParams(body)
  const basic = /^Basic (.*)$/.exec(authorization ?? "")?.[1]
  const named = basic === undefined
    ? `${form.get("client_id")}:${form.get("client_secret")}`
    : Buffer.from(basic, "base64").toString().split(":").map(decodeURIComponent).join(":")
  if (named !== `${caller.clientId}:${caller.clientSecret}`) return [401, { error: "invalid_client" }] as const
  const found = state.tokens.get(form.get("token") ?? "")
  return found === undefined || found.expires <= Date.now() / 1_000 || state.suspended.has(found.address)
    ? [200, { active: false }] as const
    : [200, { active: true, username: found.address, scope: "imap smtp", token_type: "Bearer", exp: found.expires }] as const
}
