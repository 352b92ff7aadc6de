/**
 * Everything people and programs do with identity, right and wrong, at the real program at its most talkative and with its
 * database away in between: no secret of it stands in an output, an answer, a table, a metric, but where it is meant to.
 */
import { assert, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { createPrivateKey, randomBytes, randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { exportJWK, generateKeyPair, SignJWT } from "jose"
import { contextOf, layer as secretsLayer, Secrets } from "#core/Secrets.ts"
import { verifierOf } from "#daemons/identity/federation/FlowCookie.ts"
import { sealedKeys } from "#daemons/identity/sessions/SigningKeys.ts"
import { Browser } from "#support/Browser.ts"
import { until } from "#support/Frame.ts"
import { startOidcProvider } from "#support/OidcProvider.ts"
import { testKey } from "#support/TestKey.ts"
import { appCode, wrongCode } from "../daemons/identity/factors/FactorSuite.ts"
import { publicUrl, redirectUris, variables } from "../daemons/identity/federation/FederationSuite.ts"
import { tell } from "../daemons/identity/mail/MailSuite.ts"
import { type Answer, type Box, type Request, startBox } from "./Box.ts"
import { formsOf, type Place, scan } from "./SecretScan.ts"

/** Unit: milliseconds. Reason: far above what it takes on two loaded cores; a hang ends it. */
const patience = 120_000

const auth = (path: string) => `/api/v1/auth/${path}`

/** A password nobody else has, with every character that is written otherwise somewhere. */
const newPassword = () => `pä"s<${randomBytes(12).toString("base64url")}&+ %w\\${randomBytes(9).toString("base64url")}`

/** Who does what, and every secret they had a hand in. */
const story = (box: Box) => {
  const secrets = new Map<string, string>()
  const answers: Array<Place> = []
  const outputs: Array<Place & { readonly shown: ReadonlyArray<string> }> = []
  const keep = (name: string, secret: string) => {
    assert.isString(secret, name)
    let number = 1
    while (secrets.has(`${name} ${number}`) && secrets.get(`${name} ${number}`) !== secret) number++
    secrets.set(`${name} ${number}`, secret)
    return secret
  }
  const call = (method: string, path: string, request?: Request) =>
    Effect.tap(box.call(method, path, request), ({ headers, status, text }) =>
      Effect.sync(() => {
        const told = [...headers].map(([name, value]) => `${name}: ${value}`).join("\n")
        if (status >= 400) answers.push({ name: `answer ${status} to ${method} ${path.split("?")[0]!.slice(0, 40)}`, text: `${told}\n${text}` })
      }))
  const post = (path: string, body: unknown, bearer?: string) => call("POST", auth(path), { body, ...(bearer === undefined ? {} : { bearer }) })
  const ok = <A extends Answer>(answer: A, status = 200): A => {
    expect([answer.status, answer.status === status ? "" : answer.text]).toEqual([status, ""])
    return answer
  }
  const tokensOf = ({ json }: Answer) => {
    keep("access token", json.access_token)
    keep("refresh token", json.refresh_token)
    return { bearer: json.access_token as string, refresh: json.refresh_token as string }
  }
  const login = (email: string, password: string, code?: string) =>
    post("login", { email, password: keep("password", password), ...(code === undefined ? {} : { code: keep("code", code) }) })
  /** A command; `shown`: what it is there to print, as JSON. */
  const command = Effect.fnUntraced(function*(args: ReadonlyArray<string>, shown: (json: any) => Readonly<Record<string, string>> = () => ({})) {
    const end = yield* box.command(...args, "--json")
    expect(end.code, end.stderr).toBe(0)
    const json = JSON.parse(end.stdout)
    const names = Object.entries(shown(json)).map(([name, secret]) => {
      keep(name, secret)
      return secret
    })
    const name = `${args.slice(0, 2).join(" ")} (${outputs.length / 2 + 1})`
    outputs.push({ name: `output of ${name}`, text: end.stdout, shown: names }, { name: `errors of ${name}`, text: end.stderr, shown: [] })
    return json
  })
  return { secrets, answers, outputs, keep, call, post, ok, tokensOf, login, command }
}
type Story = ReturnType<typeof story>

/** The first admin comes in by the link, and takes a password. */
const firstAdmin = ({ keep, ok, post, tokensOf }: Story, box: Box) =>
  Effect.gen(function*() {
    const link = keep("link", box.greeting.split("#")[1]!)
    yield* post("link", { token: `${link.slice(0, -3)}abc` })
    const first = tokensOf(ok(yield* post("link", { token: link })))
    expect((yield* post("link", { token: link })).status).toBe(401)
    const password = keep("password", newPassword())
    const { bearer } = tokensOf(ok(yield* post("password", { new_password: password }, first.bearer)))
    return { email: "admin@localhost", password, bearer }
  })

/** Passwords, right and wrong; refreshing, once too often; signing out; another password. */
const passwords = ({ command, keep, login, ok, post, tokensOf }: Story) =>
  Effect.gen(function*() {
    const email = "anna@example.org"
    const old = newPassword()
    yield* command(["user", "create", "--email", email, "--password", keep("password", old)])
    for (let n = 0; n < 2; n++) expect((yield* login(email, newPassword())).status).toBe(401)
    expect((yield* login(keep("password", newPassword()), old)).status).toBe(401)
    expect((yield* login(email, newPassword(), keep("password", newPassword()))).status).toBe(401)
    const first = tokensOf(ok(yield* login(email, old)))
    tokensOf(ok(yield* post("refresh", { refresh_token: first.refresh })))
    expect((yield* post("refresh", { refresh_token: first.refresh })).status).toBe(401)
    expect((yield* post("refresh", { refresh_token: keep("refresh token", `sbr_${randomBytes(32).toString("base64url")}`) })).status).toBe(401)
    const second = tokensOf(ok(yield* login(email, old)))
    ok(yield* post("logout", undefined, second.bearer), 204)
    expect((yield* post("logout", undefined, second.bearer)).status).toBe(401)
    const third = tokensOf(ok(yield* login(email, old)))
    const password = keep("password", newPassword())
    const change = (current: string, next: string) => post("password", { current_password: keep("password", current), new_password: keep("password", next) }, third.bearer)
    expect((yield* change(newPassword(), password)).status).toBe(401)
    expect((yield* change(old, `\t${newPassword()}`)).status).toBe(422)
    expect((yield* change(old, newPassword() + "x".repeat(1100))).status).toBe(422)
    const { bearer } = tokensOf(ok(yield* change(old, password)))
    return { email, password, bearer }
  })

interface Person {
  readonly email: string
  readonly password: string
  readonly bearer: string
}

/** An authenticator app, recovery codes, and codes by messenger, one of which never arrives. */
const secondFactors = ({ keep, login, ok, post, tokensOf }: Story, box: Box, { bearer, email, password }: Person) =>
  Effect.gen(function*() {
    const { json } = ok(yield* post("totp", { password }, bearer))
    const secret = keep("app secret", json.secret)
    yield* post("totp/confirm", { code: wrongCode(secret) }, bearer)
    const confirmed = ok(yield* post("totp/confirm", { code: keep("code", appCode(secret)) }, bearer))
    const codes: ReadonlyArray<string> = confirmed.json.recovery_codes
    for (const code of codes) keep("recovery code", code)
    expect((yield* login(email, password)).json.code).toBe("second_factor_required")
    tokensOf(ok(yield* login(email, password, appCode(secret, 1))))
    tokensOf(ok(yield* login(email, password, codes[0])))
    expect((yield* login(email, password, codes[0])).status).toBe(401)
    expect((yield* login(email, password, password)).status).toBe(401)

    const chat = "42424242"
    ok(yield* post("messenger", { chat_id: chat, password }, bearer), 204)
    ok(yield* post("messenger/confirm", { code: keep("code", yield* box.codeAt(chat, 1)) }, bearer))
    yield* login(email, password)
    tokensOf(ok(yield* login(email, password, yield* box.codeAt(chat, 2))))
    box.bot.failNext("500")
    yield* login(email, password)
  })

/** Through an outside provider and back; a way that is never ended, and one with an answer that was made up. */
const outside = ({ call, keep, ok, post, tokensOf }: Story, box: Box, admin: Person) =>
  Effect.gen(function*() {
    const password = keep("password", newPassword())
    ok(yield* call("POST", "/api/v1/users", { bearer: admin.bearer, body: { email: "olga@example.org", name: "Olga", role: "user", password } }), 201)
    const browser = new Browser({ [publicUrl]: box.base })
    const go = (stop: (url: URL) => boolean) => Effect.promise(() => browser.open(`${publicUrl}${auth("oidc/1/start")}`, stop))
    const left = () => {
      for (const visited of browser.visited) {
        for (const name of ["state", "code"]) {
          const value = new URL(visited).searchParams.get(name)
          if (value !== null) keep(`provider's ${name}`, value)
        }
      }
      for (const { name, value } of browser.cookies.filter(({ name }) => name.startsWith("signalbox_oidc"))) {
        keep(name, value)
        keep("code verifier", verifierOf(value))
      }
    }
    yield* go((url) => url.pathname.endsWith("/callback"))
    left()
    const { url } = yield* go((url) => url.origin === publicUrl && url.hash !== "")
    left()
    tokensOf(ok(yield* post("link", { token: keep("link", url.hash.slice(1)) })))
    const made = randomBytes(24).toString("base64url")
    const { url: onItsWay } = yield* go((url) => url.pathname.endsWith("/callback"))
    left()
    onItsWay.searchParams.set("code", keep("provider's code", made))
    yield* Effect.promise(() => browser.open(onItsWay.href))
    yield* call("GET", `${auth("oidc/1/callback")}?state=${keep("provider's state", randomBytes(24).toString("base64url"))}&code=${made}`)
  })

/** Mail tokens and the server that asks about them. */
const mail = ({ command, keep, login, ok, call, post, tokensOf }: Story, box: Box) =>
  Effect.gen(function*() {
    const [email, password] = ["olga@example.org", newPassword()]
    yield* command(["user", "password", email, "--password", keep("password", password)])
    const { bearer } = tokensOf(ok(yield* login(email, password)))
    const [{ id } = { id: 0 }] = yield* box.sql<{ id: number }>`select id from identity.account where email = ${email}`
    yield* tell(box.sql, { address: email, user_id: id, tenant_id: 1, account_id: 1 })
    const key = yield* testKey(box.sql)
    const stranger = yield* Effect.promise(() => generateKeyPair("EdDSA"))
    const { json } = ok(yield* post("mail-token", {}, bearer))
    const token = keep("mail token", json.access_token)
    const forged = keep("mail token", yield* Effect.promise(() => new SignJWT({ sub: "1" }).setProtectedHeader({ alg: "EdDSA", kid: key.kid }).sign(stranger.privateKey)))
    const expired = keep("mail token", yield* Effect.promise(() => key.mail({ userId: id, tenantId: 1, email, expires: Math.floor(Date.now() / 1000) - 9 })))
    const { token: asker } = yield* command(["token", "create", "--name", "dovecot", "--scope", "introspection"], ({ token }) => ({ "service token": token }))
    const ask = (token: string, secret: string, query = "") =>
      call("POST", `${auth("token/introspect")}${query}`, {
        body: new URLSearchParams({ token, client_id: "dovecot", client_secret: secret }).toString(),
        headers: { "content-type": "application/x-www-form-urlencoded" }
      })
    for (const [asked, active] of [[token, true], [forged, false], [expired, false], [password, false]] as const) {
      expect((yield* ask(asked, asker)).json.active).toBe(active)
    }
    expect((yield* ask(token, keep("service token", `sbx_${randomBytes(32).toString("base64url")}`))).status).toBe(401)
    expect((yield* ask("", asker, `?token=${token}`)).status).toBe(400)
    yield* call("GET", `${auth("token/introspect")}?token=${token}`)
    return { bearer, email, password, ask, asker, token }
  })

/** Service tokens and links, of the API and of the command line. */
const programs = ({ call, command, keep, ok, post, tokensOf }: Story, admin: Person) =>
  Effect.gen(function*() {
    const made = ok(yield* call("POST", "/api/v1/service-tokens", { bearer: admin.bearer, body: { name: "api", scopes: ["platform"] } }), 201).json
    const byApi = keep("service token", made.token)
    const { id, token: byCommand } = yield* command(["token", "create", "--name", "cli"], ({ token }) => ({ "service token": token }))
    const list = (token: string) => call("GET", "/api/v1/users", { headers: { "x-service-token": token } })
    for (const token of [byApi, byCommand]) ok(yield* list(token))
    ok(yield* call("DELETE", `/api/v1/service-tokens/${made.id}`, { bearer: admin.bearer }), 204)
    yield* command(["token", "revoke", String(id)])
    yield* until("the token is revoked", Effect.map(list(byCommand), ({ status }) => status === 401))
    expect((yield* list(byApi)).status).toBe(401)

    const users = (yield* call("GET", "/api/v1/users?search=olga", { bearer: admin.bearer })).json.items
    const { url } = ok(yield* call("POST", `/api/v1/users/${users[0].id}/link`, { bearer: admin.bearer })).json
    keep("link", new URL(url).hash.slice(1))
    const linkOf = ({ url }: { readonly url: string }) => new URL(url).hash.slice(1)
    const printed = yield* command(["user", "link", "olga@example.org"], (json) => ({ link: linkOf(json) }))
    tokensOf(ok(yield* post("link", { token: linkOf(printed) })))
  })

/** Secrets in places where they do not belong, and bodies that cannot be read. */
const misplaced = ({ call, keep, post }: Story, { bearer }: Person) =>
  Effect.gen(function*() {
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
      JSON.stringify({ token: [stray()], refresh_token: { a: stray() }, code: [stray()], current_password: [stray()], new_password: { a: stray() } })
    ]
    for (const path of ["login", "refresh", "link", "password", "totp", "totp/confirm", "messenger", "mail-token"]) {
      for (const body of bodies) {
        const { status, text } = yield* post(path, body, bearer)
        expect([path, status >= 400 || (path === "totp" && status === 200), status < 500], text).toEqual([path, true, true])
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
      const at = [auth("me"), auth("sessions"), "/api/v1/users", "/api/v1/audit", auth(`sessions/${escaped}`), auth("oidc/1/start"), auth("welcome"), `/${escaped}`, `/api/v1/auth/${escaped}`]
      for (const path of at) yield* call("GET", `${path}?access_token=${escaped}&token=${escaped}&limit=${escaped}&return_to=${escaped}`)
      yield* call("POST", `${auth("login")}?email=a@example.org&password=${escaped}`, { body: {} })
      const header = Buffer.from(secret).toString("latin1")
      for (const headers of [
        { authorization: `Bearer ${header}x` },
        { authorization: `Basic ${Buffer.from(`a:${secret}`).toString("base64")}` },
        { authorization: header },
        { "x-service-token": header },
        { cookie: `token=${escaped}`, authorization: "Bearer" },
        { "idempotency-key": "k".repeat(300), authorization: `Bearer ${header}` }
      ]) yield* call("GET", auth("me"), { headers })
      yield* call("PUT", auth("me"), { body: { password: secret } })
      yield* call("POST", auth("login"), { body: secret, headers: { "content-type": "text/plain" } })
    }
  })

/** The database is away while all of them go on. */
const outage = ({ call, keep, login, post }: Story, box: Box, person: Person, asking: Effect.Success<ReturnType<typeof mail>>) =>
  Effect.gen(function*() {
    yield* box.door.set("shut")
    const asked = () => asking.ask(asking.token, asking.asker)
    yield* until("nothing can be said", Effect.map(asked(), ({ status }) => status === 503))
    const statuses = yield* Effect.all([
      login(person.email, person.password),
      login(person.email, newPassword()),
      post("refresh", { refresh_token: keep("refresh token", `sbr_${randomBytes(32).toString("base64url")}`) }),
      post("link", { token: keep("link", `sbl_${randomBytes(32).toString("base64url")}`) }),
      post("password", { current_password: person.password, new_password: keep("password", newPassword()) }, person.bearer),
      post("mail-token", {}, asking.bearer),
      post("totp", { password: person.password }, person.bearer),
      call("GET", auth("me"), { bearer: person.bearer }),
      call("GET", "/api/v1/users", { headers: { "x-service-token": keep("service token", `sbx_${randomBytes(32).toString("base64url")}`) } }),
      call("GET", `${auth("oidc/1/callback")}?state=${randomUUID()}&code=${keep("provider's code", randomBytes(24).toString("base64url"))}`)
    ], { concurrency: "unbounded" })
    expect(statuses.map(({ status }) => status)).toEqual(statuses.map(() => 503))
    yield* box.door.set("open")
    yield* until("it is back", Effect.map(asked(), ({ json }) => json.active === true), 30)
    yield* until("people can sign in again", Effect.map(login(asking.email, asking.password), ({ status }) => status === 200), 30)
  })

/** Every row of every table that is not Postgres's own; rows that go are seen when it is asked often enough. */
const tables = (box: Box, places: Map<string, Set<string>>) =>
  Effect.gen(function*() {
    const names = yield* box.sql<{ name: string }>`select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`
    for (const { name } of names) {
      const rows = yield* box.sql.unsafe<{ row: string }>(`select to_jsonb(t)::text as row from ${name} t`)
      const seen = places.get(name) ?? new Set()
      for (const { row } of rows) seen.add(row)
      places.set(name, seen)
    }
  })

/** What lies in the data directory and in envelopes, and is nobody's business. */
const atRest = ({ keep }: Story, box: Box) =>
  Effect.gen(function*() {
    const path = join(box.env["SIGNALBOX_DATA_DIR"]!, "keys")
    for (const line of readFileSync(path, "utf8").trim().split("\n")) {
      keep("key file", line)
      keep("key file's bytes", line.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, ""))
    }
    const { open } = yield* Secrets.pipe(Effect.provide(secretsLayer(path)))
    for (const { kid, private_jwk } of yield* box.sql<{ kid: string; private_jwk: string }>`select kid, private_jwk from identity.signing_key`) {
      const jwk = JSON.parse(Redacted.value(yield* open(private_jwk, contextOf(sealedKeys, kid))))
      keep("private key", jwk.d)
      expect((yield* Effect.promise(() => exportJWK(createPrivateKey({ key: jwk, format: "jwk" })))).d).toBe(jwk.d)
    }
    for (const { hash } of yield* box.sql<{ hash: string }>`select password_hash as hash from identity.account where password_hash is not null`) keep("password hash", hash)
    keep("database password", box.databasePassword)
    keep("bot token", box.bot.token)
  })

it.live("no secret of signing in stands where it is not meant to", () =>
  Effect.scoped(Effect.gen(function*() {
    const provider = yield* startOidcProvider({ people: [{ sub: "o1", email: "olga@example.org", email_verified: true }], redirectUris })
    provider.present("o1")
    const box = yield* startBox({ SIGNALBOX_PUBLIC_URL: publicUrl, AUTH_RATE_LIMIT_MAX: "1000", ...variables(1, provider) })
    const told = story(box)
    const rows = new Map<string, Set<string>>()
    const look = tables(box, rows)

    const admin = yield* firstAdmin(told, box)
    const person = yield* passwords(told)
    yield* look
    yield* outside(told, box, admin)
    yield* secondFactors(told, box, person)
    yield* look
    const asking = yield* mail(told, box)
    yield* programs(told, admin)
    yield* misplaced(told, admin)
    yield* look
    yield* outage(told, box, admin, asking)
    told.keep("provider's secret", provider.clientSecret)
    yield* atRest(told, box)
    const pages: Array<Place> = []
    for (const path of ["/health", "/health/identity", "/metrics", "/openapi.json", "/.well-known/jwks.json", auth("me"), auth("sessions"), auth("factors"), auth("providers"), "/api/v1/users", "/api/v1/audit?limit=200", "/api/v1/service-tokens", "/api/v1/tenants"]) {
      const { status, text } = yield* told.call("GET", path, { headers: { "x-service-token": asking.asker }, bearer: admin.bearer })
      expect([path, status]).toEqual([path, 200])
      pages.push({ name: path, text })
    }
    yield* look
    const end = yield* box.stop
    expect(end.code, end.stderr.slice(-2000)).toBe(0)
    yield* look

    const meant = new Map([["the greeting", [told.secrets.get("link 1")!]], ...told.outputs.map(({ name, shown }) => [name, shown] as const)])
    const log: Place = { name: "log", text: end.stderr }
    const places: ReadonlyArray<Place> = [
      log,
      { name: "the greeting", text: end.stdout },
      ...told.outputs,
      ...told.answers,
      ...pages,
      ...Array.from(rows, ([name, seen]) => ({ name, text: [...seen].join("\n") }))
    ]
    const allowed = (secret: string, place: string) =>
      meant.get(place)?.includes(told.secrets.get(secret)!) === true || (secret.startsWith("password hash") && place === "identity.account")

    // The places are those where something would stand: each step left its trace.
    for (const [name, trace] of [["log", "user token refused"], ["log", "database failure while answering"], ["core.audit", "refused.refresh_reuse"], ["core.audit", "recovery_code.used"],
      ["pgboss.job_common", "messenger.code"], ["core.event", "mail.account.changed"], ["identity.oidc_flow", "state_hash"], ["identity.sign_in_link", "first_admin"], ["/metrics", "identity_refused_total"]] as const) {
      expect(places.some((place) => place.name === name && place.text.includes(trace)), `${trace} in ${name}`).toBe(true)
    }
    expect(told.secrets.size).toBeGreaterThan(100)

    // The search finds what is there: what is meant to be shown, and in every place a piece of each secret in each form.
    expect(scan(told.secrets, places, (secret, place) => !meant.has(place) || allowed(secret, place) === false).map(({ place }) => place)).toContain("the greeting")
    for (const [name, secret] of told.secrets) {
      for (const form of formsOf(secret)) {
        const cut = form.length > 40 ? form.slice(14, 34) : form
        const planted = scan(new Map([[name, secret]]), [{ name: "planted", text: `{"detail":"at ${/^\d{6}$/.test(secret) ? secret : cut} it broke"}` }])
        expect(planted.length, `${name} as ${form}`).toBe(1)
      }
    }

    expect(scan(told.secrets, places, allowed)).toEqual([])
  })), patience)
