import { expect, it } from "@effect/vitest"
import { Result } from "effect"
import * as Settings from "#core/config/Settings.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { oidcConflicts, oidcSettings, providersOf } from "#daemons/identity/federation/Settings.ts"

const load = (env: Settings.Env) => Settings.load(oidcSettings, env)
const names = (env: Settings.Env) => oidcConflicts(Result.getOrThrow(load(env))).map(({ name }) => name)

it("none, one or two providers are configured, each by its own variables", () => {
  const of = (env: Settings.Env) => providersOf(Result.getOrThrow(load(env)))
  expect(of({})).toEqual([])
  const second = { SIGNALBOX_OIDC_2_ISSUER: "https://id.example/realm/", SIGNALBOX_OIDC_2_CLIENT_ID: "us" }
  // A trailing slash is part of the issuer's name.
  expect(of(second)).toMatchObject([
    {
      id: "2",
      title: "id.example",
      issuer: "https://id.example/realm/",
      scopes: "openid email profile",
      matchEmail: true
    }
  ])
  const both = of({
    ...second,
    SIGNALBOX_OIDC_1_ISSUER: "https://a.example",
    SIGNALBOX_OIDC_1_CLIENT_ID: "x",
    SIGNALBOX_OIDC_1_SCOPES: "openid  groups"
  })
  expect(both.map(({ id, scopes }) => [id, scopes])).toEqual([
    ["1", "openid groups"],
    ["2", "openid email profile"]
  ])
})

it("an issuer without a client, a client without an issuer, and equal issuers are refused", () => {
  expect(identity.problems({ SIGNALBOX_OIDC_1_ISSUER: "https://a.example" }).map(({ name }) => name)).toContain(
    "SIGNALBOX_OIDC_1_CLIENT_ID"
  )
  expect(names({})).toEqual([])
  expect(names({ SIGNALBOX_OIDC_1_ISSUER: "https://a.example" })).toEqual(["SIGNALBOX_OIDC_1_CLIENT_ID"])
  for (const part of ["CLIENT_ID", "CLIENT_SECRET", "TITLE"])
    expect(names({ [`SIGNALBOX_OIDC_2_${part}`]: "x" })).toEqual(["SIGNALBOX_OIDC_2_ISSUER"])
  const pair = (first: string, second: string) =>
    names({
      SIGNALBOX_OIDC_1_ISSUER: first,
      SIGNALBOX_OIDC_1_CLIENT_ID: "x",
      SIGNALBOX_OIDC_2_ISSUER: second,
      SIGNALBOX_OIDC_2_CLIENT_ID: "y"
    })
  expect(pair("https://a.example", "https://a.example/")).toEqual(["SIGNALBOX_OIDC_2_ISSUER"])
  expect(pair("https://a.example", "https://b.example")).toEqual([])
})

it("http is accepted for this machine only, and the scopes must contain openid", () => {
  const problem = (name: string, value: string) =>
    Result.match(load({ [`SIGNALBOX_OIDC_1_${name}`]: value }), {
      onSuccess: () => undefined,
      onFailure: ([first]) => first?.message
    })
  for (const good of ["https://id.example", "http://127.0.0.1:9000", "http://localhost", "http://[::1]:1/a"])
    expect([good, problem("ISSUER", good)]).toEqual([good, undefined])
  for (const bad of [
    "http://id.example",
    "http://10.0.0.1",
    "http://127.0.0.1.evil.test",
    "ftp://a",
    "id.example",
    "https://u:p@a",
    "https://a/?x",
    "https://a/#x"
  ]) {
    expect([bad, problem("ISSUER", bad)]).toEqual([bad, expect.stringMatching(/^must/)])
  }
  expect(problem("SCOPES", 'openid "x"')).toMatch(/scopes/)
  expect(names({ SIGNALBOX_OIDC_1_SCOPES: "email" })).toEqual(["SIGNALBOX_OIDC_1_SCOPES"])
})

it("a provider without OpenID Connect has all three addresses, and never the scope openid", () => {
  const base = { SIGNALBOX_OIDC_1_ISSUER: "https://a.example", SIGNALBOX_OIDC_1_CLIENT_ID: "x" }
  const urls = {
    SIGNALBOX_OIDC_1_AUTHORIZE_URL: "https://a.example/authorize?x=1",
    SIGNALBOX_OIDC_1_TOKEN_URL: "https://a.example/token",
    SIGNALBOX_OIDC_1_USERINFO_URL: "https://api.a.example/me"
  }
  const [found] = providersOf(Result.getOrThrow(load({ ...base, ...urls })))
  expect([found?.scopes, found?.plain?.subjectField]).toEqual(["email profile", "id"])
  expect(names({ ...base, ...urls })).toEqual([])
  for (const missing of Object.keys(urls)) {
    const env: Record<string, string> = { ...base, ...urls }
    delete env[missing]
    expect(names(env)).toEqual([missing])
  }
  expect(names(urls)).toEqual(["SIGNALBOX_OIDC_1_ISSUER"])
  expect(Result.isFailure(load({ SIGNALBOX_OIDC_1_TOKEN_URL: "http://a.example/token" }))).toBe(true)
})
