/** Steps besides people's sign-ins: mail servers and programs, secrets in wrong places, an outage. */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { randomBytes, randomUUID } from "node:crypto"
import { generateKeyPair, SignJWT } from "jose"
import { until } from "#support/Frame.ts"
import { testKey } from "#support/TestKey.ts"
import { answered } from "../daemons/identity/mail-login/Answered.ts"
import { tell } from "../daemons/identity/mail-login/MailSuite.ts"
import type { Box } from "./Box.ts"
import { auth, newPassword, type Person, type Story } from "./SignInStory.ts"

/** Mail tokens, and the server that introspects them. */
export const mail = ({ command, keep, login, ok, call, post, tokensOf }: Story, box: Box) =>
  Effect.gen(function* () {
    const [email, password] = ["olga@example.org", newPassword()]
    yield* command(["user", "password", email, "--password", keep("password", password)])
    const { bearer } = tokensOf(ok(yield* login(email, password)))
    const [{ id } = { id: 0 }] = yield* box.sql<{ id: number }>`select id from identity.account where email = ${email}`
    yield* tell(box.sql, { address: email, user_id: id, tenant_id: 1, account_id: 1 })
    const key = yield* testKey(box.sql)
    const stranger = yield* Effect.promise(() => generateKeyPair("EdDSA"))
    const { json } = ok(yield* answered(post("mail-token", {}, bearer)))
    const token = keep("mail token", json.access_token)
    const forged = keep(
      "mail token",
      yield* Effect.promise(() =>
        new SignJWT({ sub: "1" }).setProtectedHeader({ alg: "EdDSA", kid: key.kid }).sign(stranger.privateKey)
      )
    )
    const expired = keep(
      "mail token",
      yield* Effect.promise(() =>
        key.mail({ userId: id, tenantId: 1, email, expires: Math.floor(Date.now() / 1000) - 9 })
      )
    )
    const { token: asker } = yield* command(
      ["token", "create", "--name", "dovecot", "--scope", "introspection"],
      ({ token }) => ({ "service token": token })
    )
    const ask = (token: string, secret: string, query = "") =>
      call("POST", `${auth("token/introspect")}${query}`, {
        body: new URLSearchParams({ token, client_id: "dovecot", client_secret: secret }).toString(),
        headers: { "content-type": "application/x-www-form-urlencoded" }
      })
    for (const [asked, active] of [
      [token, true],
      [forged, false],
      [expired, false],
      [password, false]
    ] as const) {
      expect((yield* answered(ask(asked, asker))).json.active).toBe(active)
    }
    const guessed = keep("service token", `sbx_${randomBytes(32).toString("base64url")}`)
    expect((yield* answered(ask(token, guessed))).status).toBe(401)
    expect((yield* answered(ask("", asker, `?token=${token}`))).status).toBe(400)
    yield* call("GET", `${auth("token/introspect")}?token=${token}`)
    return { bearer, email, password, ask, asker, token }
  })

/** Service tokens and sign-in links, of the API and of the CLI. */
export const programs = ({ call, command, keep, ok, post, tokensOf }: Story, admin: Person) =>
  Effect.gen(function* () {
    const made = ok(
      yield* call("POST", "/api/v1/service-tokens", {
        bearer: admin.bearer,
        body: { name: "api", scopes: ["platform"] }
      }),
      201
    ).json
    const byApi = keep("service token", made.token)
    const { id, token: byCommand } = yield* command(["token", "create", "--name", "cli"], ({ token }) => ({
      "service token": token
    }))
    const list = (token: string) => answered(call("GET", "/api/v1/users", { headers: { "x-service-token": token } }))
    for (const token of [byApi, byCommand]) ok(yield* list(token))
    ok(yield* call("DELETE", `/api/v1/service-tokens/${made.id}`, { bearer: admin.bearer }), 204)
    yield* command(["token", "revoke", String(id)])
    yield* until(
      "the token is revoked",
      Effect.map(list(byCommand), ({ status }) => status === 401)
    )
    expect((yield* list(byApi)).status).toBe(401)

    const users = (yield* call("GET", "/api/v1/users?search=olga", { bearer: admin.bearer })).json.items
    const { url } = ok(yield* call("POST", `/api/v1/users/${users[0].id}/link`, { bearer: admin.bearer })).json
    keep("link", new URL(url).hash.slice(1))
    const linkOf = ({ url }: { readonly url: string }) => new URL(url).hash.slice(1)
    const printed = yield* command(["user", "link", "olga@example.org"], (json) => ({ link: linkOf(json) }))
    tokensOf(ok(yield* post("link", { token: linkOf(printed) })))
  })

/** Secrets in fields where they do not belong, and bodies that cannot be parsed. */
export const misplaced = ({ call, keep, post }: Story, { bearer }: Person) =>
  Effect.gen(function* () {
    const stray = () => keep("password", newPassword())
    const plain = () => keep("password", randomBytes(18).toString("base64url"))
    const bodies = [
      `{"email":"a@example.org","password":"${plain()}`,
      `{"email":"a@example.org","password":${plain()}}`,
      `${plain()}`,
      `{"password":"${plain()}",}`,
      JSON.stringify([stray()]),
      JSON.stringify(stray()),
      JSON.stringify({ email: "a@example.org", password: [stray()] }),
      JSON.stringify({ email: "a@example.org", password: { [plain()]: stray() } }),
      JSON.stringify({ email: { x: stray() }, password: stray() }),
      JSON.stringify({ email: "a@example.org", password: stray() + "x".repeat(2000) }),
      JSON.stringify({ email: stray() + "x".repeat(400), password: stray(), code: `${stray()}${"1".repeat(70)}` }),
      JSON.stringify({ email: "a@example.org", password: stray(), code: 7, [plain()]: stray() }),
      JSON.stringify({
        token: [stray()],
        refresh_token: { a: stray() },
        code: [stray()],
        current_password: [stray()],
        new_password: { a: stray() }
      })
    ]
    for (const path of ["login", "refresh", "link", "password", "totp", "totp/confirm", "messenger", "mail-token"]) {
      for (const body of bodies) {
        const { status, text } = yield* post(path, body, bearer)
        expect([path, status >= 400 || (path === "totp" && status === 200), status < 500], text).toEqual([
          path,
          true,
          true
        ])
      }
    }
    const admins = (method: string, path: string, body: unknown) => call(method, `/api/v1/${path}`, { bearer, body })
    yield* admins("PUT", "settings/preferences", { mail_handler: stray() })
    yield* admins("PUT", "settings/preferences", { mail_handler: "ask" })
    yield* admins("PUT", "settings/preferences", { other: stray() })
    yield* admins("POST", "service-tokens", { name: "x", scopes: ["platform"], other: stray() })
    yield* admins("POST", "users", { email: "b@example.org", name: "B", role: stray(), password: "" })
    yield* admins("POST", "users", { email: stray(), name: "B", role: "user", password: stray() })
    yield* admins("POST", "users/1/password", { password: [stray()] })
    yield* admins("POST", "service-tokens", { name: "x", scopes: [stray()] })

    const everywhere = [stray(), bearer]
    for (const secret of everywhere) {
      const escaped = encodeURIComponent(secret)
      const at = [
        auth("me"),
        auth("sessions"),
        "/api/v1/users",
        "/api/v1/audit",
        auth(`sessions/${escaped}`),
        auth("oidc/1/start"),
        auth("welcome"),
        `/${escaped}`,
        `/api/v1/auth/${escaped}`
      ]
      for (const path of at)
        yield* call("GET", `${path}?access_token=${escaped}&token=${escaped}&limit=${escaped}&return_to=${escaped}`)
      yield* call("POST", `${auth("login")}?email=a@example.org&password=${escaped}`, { body: {} })
      const header = Buffer.from(secret).toString("latin1")
      for (const headers of [
        { authorization: `Bearer ${header}x` },
        { authorization: `Basic ${Buffer.from(`a:${secret}`).toString("base64")}` },
        { authorization: header },
        { "x-service-token": header },
        { cookie: `token=${escaped}`, authorization: "Bearer" },
        { "idempotency-key": "k".repeat(300), authorization: `Bearer ${header}` }
      ])
        yield* call("GET", auth("me"), { headers })
      yield* call("PUT", auth("me"), { body: { password: secret } })
      yield* call("POST", auth("login"), { body: secret, headers: { "content-type": "text/plain" } })
    }
  })

/** The database is unreachable while all steps continue. */
export const outage = (
  { call, keep, login, post }: Story,
  box: Box,
  person: Person,
  asking: Effect.Success<ReturnType<typeof mail>>
) =>
  Effect.gen(function* () {
    yield* box.door.set("shut")
    const asked = () => asking.ask(asking.token, asking.asker)
    yield* until(
      "nothing can be said",
      Effect.map(asked(), ({ status }) => status === 503)
    )
    const statuses = yield* Effect.all(
      [
        login(person.email, person.password),
        login(person.email, newPassword()),
        post("refresh", { refresh_token: keep("refresh token", `sbr_${randomBytes(32).toString("base64url")}`) }),
        post("link", { token: keep("link", `sbl_${randomBytes(32).toString("base64url")}`) }),
        post(
          "password",
          { current_password: person.password, new_password: keep("password", newPassword()) },
          person.bearer
        ),
        post("mail-token", {}, asking.bearer),
        post("totp", { password: person.password }, person.bearer),
        call("GET", auth("me"), { bearer: person.bearer }),
        call("GET", "/api/v1/users", {
          headers: { "x-service-token": keep("service token", `sbx_${randomBytes(32).toString("base64url")}`) }
        }),
        call(
          "GET",
          `${auth("oidc/1/callback")}?state=${randomUUID()}&code=${keep("provider's code", randomBytes(24).toString("base64url"))}`
        )
      ],
      { concurrency: "unbounded" }
    )
    expect(statuses.map(({ status }) => status)).toEqual(statuses.map(() => 503))
    yield* box.door.set("open")
    yield* until(
      "it is back",
      Effect.map(asked(), ({ json }) => json.active === true),
      30
    )
    yield* until(
      "people can sign in again",
      Effect.map(login(asking.email, asking.password), ({ status }) => status === 200),
      30
    )
  })
