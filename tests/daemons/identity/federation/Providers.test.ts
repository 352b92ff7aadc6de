import { expect, it } from "@effect/vitest"
import { Context, Duration, Effect, Layer, Redacted } from "effect"
import { identity } from "#daemons/identity/Daemon.ts"
import * as Providers from "#daemons/identity/federation/Providers.ts"
import { startForgingProvider } from "#support/ForgingProvider.ts"
import { until } from "#support/Frame.ts"
import { startSuite } from "#support/TestSuite.ts"
import { variables } from "./FederationSuite.ts"

const discoveryPath = "/.well-known/openid-configuration"

const json = { "content-type": "application/json" }

const settingsOf = (issuer: string) => ({
  id: "1" as const,
  title: "Provider",
  issuer,
  clientId: "signalbox",
  clientSecret: Redacted.make("secret"),
  scopes: "openid",
  matchEmail: true,
  plain: undefined
})

const started = Effect.fnUntraced(function* (bounds: Partial<Providers.ProviderTimeouts> = {}) {
  const double = yield* startForgingProvider()
  const provider = settingsOf(double.issuer)
  const context = yield* Layer.build(Providers.layer([provider], { ...Providers.defaultTimeouts, ...bounds }))
  const providers = Context.get(context, Providers.Providers)
  const asked = () => double.asked(discoveryPath)
  return {
    double,
    provider,
    asked,
    available: providers.available(provider),
    configuration: providers.configuration(provider),
    providers
  }
})

it.live("a configuration is requested at first use, once for concurrent callers, and then cached", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { asked, available, configuration } = yield* started({ list: Duration.seconds(10) })
      expect(asked()).toBe(0)
      const all = yield* Effect.all([configuration, configuration, available], { concurrency: "unbounded" })
      expect([all[0] === all[1], all[2], asked()]).toEqual([true, true, 1])
      yield* configuration
      expect(asked()).toBe(1)
    })
  )
)

it.live("after a failure the provider is unavailable at once for a while, then it is asked again", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const patient = yield* started()
      patient.double.answer(discoveryPath, undefined)
      expect((yield* Effect.flip(patient.configuration))._tag).toBe("ProviderAway")
      const askedBefore = patient.asked()
      expect([yield* patient.available, (yield* Effect.flip(patient.configuration))._tag, patient.asked()]).toEqual([
        false,
        "ProviderAway",
        askedBefore
      ])
      const { asked, available, configuration, double } = yield* started({ awayFor: Duration.millis(400) })
      double.answer(discoveryPath, undefined)
      expect((yield* Effect.flip(configuration))._tag).toBe("ProviderAway")
      const before = asked()
      double.answer(discoveryPath, { status: 503 })
      yield* until(
        "it was asked again",
        Effect.map(available, (now) => !now && asked() > before)
      )
      double.answer(discoveryPath, { status: 200, headers: json, body: JSON.stringify({ issuer: double.issuer }) })
      yield* until("it is back", available)
    })
  )
)

it.live("a provider that does not answer, redirects, answers too much or has another issuer is unavailable", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const silent = yield* started({ request: Duration.millis(300) })
      silent.double.answer(discoveryPath, "silent")
      expect((yield* Effect.flip(silent.configuration)).detail).toMatch(/within 300 ms|timed out|aborted/)
      const { configuration, double } = yield* started({ awayFor: Duration.zero })
      const other = yield* startForgingProvider()
      const why = Effect.map(Effect.flip(configuration), ({ detail }) => detail)
      double.answer(discoveryPath, { status: 302, headers: { location: `${other.issuer}${discoveryPath}` } })
      expect(yield* why).toMatch(/status code/)
      expect(other.asked(discoveryPath)).toBe(0)
      const document = (more: object) =>
        JSON.stringify({ issuer: double.issuer, authorization_endpoint: `${double.issuer}/auth`, ...more })
      double.answer(discoveryPath, { status: 200, headers: json, body: document({ padding: "x".repeat(300_000) }) })
      expect(yield* why).toMatch(/longer than/)
      double.answer(discoveryPath, { status: 200, headers: json, body: document({ issuer: other.issuer }) })
      expect(yield* why).toMatch(/issuer/)
      double.answer(discoveryPath, { status: 200, headers: json, body: document({}) })
      expect((yield* configuration).serverMetadata().issuer).toBe(double.issuer)
    })
  )
)

it.live("the cached configuration of an unavailable provider stays in use until it can be read again", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { asked, available, configuration, double, provider, providers } = yield* started({
        freshFor: Duration.zero,
        awayFor: Duration.millis(100)
      })
      const first = yield* configuration
      double.answer(discoveryPath, undefined)
      expect(yield* configuration).toBe(first)
      yield* until(
        "its absence is known",
        Effect.map(available, (now) => !now)
      )
      expect(yield* configuration).toBe(first)
      const before = asked()
      double.answer(discoveryPath, {
        status: 200,
        headers: json,
        body: JSON.stringify({ issuer: double.issuer, token_endpoint: `${double.issuer}/new` })
      })
      yield* until("it is back", available)
      yield* until(
        "it is read anew",
        Effect.map(configuration, (now) => now.serverMetadata().token_endpoint === `${double.issuer}/new`)
      )
      expect(asked()).toBeGreaterThan(before)
      yield* providers.markAway(provider)
      expect(yield* available).toBe(false)
    })
  )
)

it.live("inside our network only the issuer's origin is requested", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { configuration, double } = yield* started()
      const inner = yield* startForgingProvider()
      double.answer(discoveryPath, {
        status: 200,
        headers: json,
        body: JSON.stringify({
          issuer: double.issuer,
          token_endpoint: `${inner.issuer}/token`,
          userinfo_endpoint: `${inner.issuer}/userinfo`
        })
      })
      const oidc = yield* Effect.promise(() => import("openid-client"))
      const known = yield* configuration
      const failed = yield* Effect.flip(
        Effect.tryPromise({ try: () => oidc.fetchUserInfo(known, "token", "ada"), catch: Providers.describeError })
      )
      expect([failed, inner.asked("/userinfo")]).toEqual([expect.stringContaining("loopback"), 0])
    })
  )
)

it.live("the daemon starts while a provider does not answer and lists it as unavailable without delay", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const [silent, good] = [yield* startForgingProvider(), yield* startForgingProvider()]
      silent.answer(discoveryPath, "silent")
      const { call } = yield* startSuite({
        daemons: [identity],
        env: { ...variables(1, silent), ...variables(2, good), SIGNALBOX_OIDC_2_TITLE: "" }
      })
      expect([silent.asked(discoveryPath), good.asked(discoveryPath)]).toEqual([0, 0])
      const items = Effect.map(call("GET", "/api/v1/auth/providers"), ({ json }) => json.items)
      // On busy cores the first list may end before the good one has answered.
      yield* until(
        "the good provider has answered",
        Effect.map(items, ([, second]) => second.available)
      )
      expect(yield* items).toMatchObject([
        { id: "1", title: "Provider 1", available: false },
        // Without a title the provider's host is shown. Without a public address the request's host is used.
        {
          id: "2",
          title: new URL(good.issuer).host,
          available: true,
          start_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1\/auth\/oidc\/2\/start$/)
        }
      ])
    })
  )
)
