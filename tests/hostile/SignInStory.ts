/**
 * People sign in to the program in every supported way, correctly and incorrectly. Records every secret that is used.
 */
import { assert, expect } from "@effect/vitest"
import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import { verifierOf } from "#daemons/identity/federation/FlowCookie.ts"
import { Browser } from "#support/Browser.ts"
import { appCode, wrongCode } from "../daemons/identity/factors/FactorSuite.ts"
import { publicUrl } from "../daemons/identity/federation/FederationSuite.ts"
import type { Answer, Box, Request } from "./Box.ts"
import type { Place } from "./SecretScan.ts"

export const auth = (path: string) => `/api/v1/auth/${path}`

/** A unique password with all characters that some encoding escapes. */
export const newPassword = () =>
  `pä"s<${randomBytes(12).toString("base64url")}&+ %w\\${randomBytes(9).toString("base64url")}`

/** Helpers for the steps. They record every secret, answer and output. */
export const story = (box: Box) => {
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
        if (status >= 400)
          answers.push({
            name: `answer ${status} to ${method} ${path.split("?")[0]!.slice(0, 40)}`,
            text: `${told}\n${text}`
          })
      })
    )
  const post = (path: string, body: unknown, bearer?: string) =>
    call("POST", auth(path), { body, ...(bearer === undefined ? {} : { bearer }) })
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
    post("login", {
      email,
      password: keep("password", password),
      ...(code === undefined ? {} : { code: keep("code", code) })
    })
  /** Runs a command; `shown`: secrets that the command is expected to print, from its JSON. */
  const command = Effect.fnUntraced(function* (
    args: ReadonlyArray<string>,
    shown: (json: any) => Readonly<Record<string, string>> = () => ({})
  ) {
    const end = yield* box.command(...args, "--json")
    expect(end.code, end.stderr).toBe(0)
    const json = JSON.parse(end.stdout)
    const names = Object.entries(shown(json)).map(([name, secret]) => {
      keep(name, secret)
      return secret
    })
    const name = `${args.slice(0, 2).join(" ")} (${outputs.length / 2 + 1})`
    outputs.push(
      { name: `output of ${name}`, text: end.stdout, shown: names },
      { name: `errors of ${name}`, text: end.stderr, shown: [] }
    )
    return json
  })
  return { secrets, answers, outputs, keep, call, post, ok, tokensOf, login, command }
}
export type Story = ReturnType<typeof story>

/** The first admin signs in by link and sets a password. */
export const firstAdmin = ({ keep, ok, post, tokensOf }: Story, box: Box) =>
  Effect.gen(function* () {
    const link = keep("link", box.firstLink)
    yield* post("link", { token: `${link.slice(0, -3)}abc` })
    const first = tokensOf(ok(yield* post("link", { token: link })))
    expect((yield* post("link", { token: link })).status).toBe(401)
    const password = keep("password", newPassword())
    const { bearer } = tokensOf(ok(yield* post("password", { new_password: password }, first.bearer)))
    return { email: "admin@localhost", password, bearer }
  })

/** Passwords, correct and wrong; refreshes, one with a used token; sign-out; a password change. */
export const passwords = ({ call, command, keep, login, ok, post, tokensOf }: Story) =>
  Effect.gen(function* () {
    const email = "anna@example.org"
    const old = newPassword()
    yield* command(["user", "create", "--email", email, "--password", keep("password", old)])
    for (let n = 0; n < 2; n++) expect((yield* login(email, newPassword())).status).toBe(401)
    expect((yield* login(keep("password", newPassword()), old)).status).toBe(401)
    expect((yield* login(email, newPassword(), keep("password", newPassword()))).status).toBe(401)
    const first = tokensOf(ok(yield* login(email, old)))
    tokensOf(ok(yield* post("refresh", { refresh_token: first.refresh })))
    expect((yield* post("refresh", { refresh_token: first.refresh })).status).toBe(401)
    expect(
      (yield* post("refresh", { refresh_token: keep("refresh token", `sbr_${randomBytes(32).toString("base64url")}`) }))
        .status
    ).toBe(401)
    const second = tokensOf(ok(yield* login(email, old)))
    ok(yield* post("logout", undefined, second.bearer), 204)
    expect((yield* post("logout", undefined, second.bearer)).status).toBe(401)
    // The same by cookie: with a second token in the body, from a different site, renewed, reused later, signed out.
    const cookieOf = ({ headers, json }: Answer) => {
      keep("access token", json.access_token)
      return keep("refresh cookie", /^signalbox_refresh=([^;]+)/.exec(headers.get("set-cookie")!)![1]!)
    }
    const browse = (path: string, cookie: string, headers = {}, body: unknown = {}) =>
      call("POST", auth(path), { body, headers: { cookie: `signalbox_refresh=${cookie}`, ...headers } })
    const tab = cookieOf(ok(yield* post("login", { email, password: old, cookie: true })))
    expect((yield* browse("refresh", tab, {}, { refresh_token: second.refresh })).status).toBe(422)
    expect((yield* browse("refresh", tab, { "sec-fetch-site": "cross-site" })).status).toBe(403)
    expect((yield* browse("logout", tab, { origin: "https://evil.test" })).status).toBe(403)
    const renewed = cookieOf(ok(yield* browse("refresh", tab)))
    cookieOf(ok(yield* browse("refresh", renewed)))
    expect((yield* browse("refresh", tab)).status).toBe(401)
    ok(yield* browse("logout", renewed), 204)
    const third = tokensOf(ok(yield* login(email, old)))
    const password = keep("password", newPassword())
    const change = (current: string, next: string) =>
      post(
        "password",
        { current_password: keep("password", current), new_password: keep("password", next) },
        third.bearer
      )
    expect((yield* change(newPassword(), password)).status).toBe(401)
    expect((yield* change(old, `\t${newPassword()}`)).status).toBe(422)
    expect((yield* change(old, newPassword() + "x".repeat(1100))).status).toBe(422)
    const { bearer } = tokensOf(ok(yield* change(old, password)))
    return { email, password, bearer }
  })

export interface Person {
  readonly email: string
  readonly password: string
  readonly bearer: string
}

/** An authenticator app, recovery codes, and codes by messenger, one of which never arrives. */
export const secondFactors = (
  { keep, login, ok, post, tokensOf }: Story,
  box: Box,
  { bearer, email, password }: Person
) =>
  Effect.gen(function* () {
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

/** Sign-in through an external provider; a sign-in that is never completed, and one with a forged answer. */
export const outside = ({ call, keep, ok, post, tokensOf }: Story, box: Box, admin: Person) =>
  Effect.gen(function* () {
    const password = keep("password", newPassword())
    ok(
      yield* call("POST", "/api/v1/users", {
        bearer: admin.bearer,
        body: { email: "olga@example.org", name: "Olga", role: "user", password }
      }),
      201
    )
    const browser = new Browser({ [publicUrl]: box.base })
    const go = (stop: (url: URL) => boolean) =>
      Effect.promise(() => browser.open(`${publicUrl}${auth("oidc/1/start")}`, stop))
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
    tokensOf(ok(yield* post("link", { token: keep("link", url.hash.slice("#token=".length)) })))
    const made = randomBytes(24).toString("base64url")
    const { url: onItsWay } = yield* go((url) => url.pathname.endsWith("/callback"))
    left()
    onItsWay.searchParams.set("code", keep("provider's code", made))
    yield* Effect.promise(() => browser.open(onItsWay.href))
    yield* call(
      "GET",
      `${auth("oidc/1/callback")}?state=${keep("provider's state", randomBytes(24).toString("base64url"))}&code=${made}`
    )
  })
