/**
 * The configured providers and their cached OpenID configurations. A configuration is requested at first use, not at
 * start. When a provider does not answer, requests fail at once for a while, and a previously cached configuration
 * stays valid until it can be read again.
 */
import { Clock, Context, Duration, Effect, Fiber, Layer, Redacted, Schema, type Scope } from "effect"
import * as oidc from "openid-client"
import { OutboundHttp } from "#core/http/OutboundHttp.ts"
import type { PlainOAuth, ProviderSettings } from "./Settings.ts"
import * as ProviderFetch from "./ProviderFetch.ts"

/** Time limits; tests use shorter ones. */
export interface ProviderTimeouts {
  /** How long a configuration is used without reading it again. Reason: providers rarely change keys and URLs. */
  readonly freshFor: Duration.Duration
  /** How long a configuration stays usable when it cannot be read again. Reason: bridges an outage of hours. */
  readonly staleFor: Duration.Duration
  /** How long a provider is not asked again after a failure. Reason: avoids waiting for a second time-out. */
  readonly awayFor: Duration.Duration
  /**
   * How long a list of providers waits for a configuration that is not cached. Reason: the sign-in page waits for it.
   */
  readonly list: Duration.Duration
  /** Time limit of one request to a provider. Reason: a user waits in the browser and may retry. */
  readonly request: Duration.Duration
}

export const defaultTimeouts: ProviderTimeouts = {
  freshFor: Duration.minutes(10),
  staleFor: Duration.hours(24),
  awayFor: Duration.seconds(10),
  list: Duration.millis(1_500),
  request: Duration.seconds(8)
}

/** A provider does not answer, or not correctly. A retry may succeed. */
export class ProviderAway extends Schema.TaggedError<ProviderAway>()("ProviderAway", {
  provider: Schema.String,
  detail: Schema.String
}) {
  override get message() {
    return `external provider ${this.provider} cannot be used: ${this.detail}`
  }
}

export class Providers extends Context.Service<
  Providers,
  {
    readonly all: ReadonlyArray<ProviderSettings>
    readonly get: (id: string) => ProviderSettings | undefined
    /** Configuration of openid-client for this provider. */
    readonly configuration: (provider: ProviderSettings) => Effect.Effect<oidc.Configuration, ProviderAway>
    /** Whether the provider answered the last request. Returns within `ProviderTimeouts.list`. */
    readonly available: (provider: ProviderSettings) => Effect.Effect<boolean>
    /** Records that the provider did not answer. */
    readonly markAway: (provider: ProviderSettings) => Effect.Effect<void>
  }
>()("signalbox/identity/Providers") {}

interface ProviderState {
  cached: { readonly configuration: oidc.Configuration; readonly at: number } | undefined
  /** When the provider last failed to answer; undefined after a success. */
  away: { readonly at: number; readonly detail: string } | undefined
  pending: Fiber.Fiber<oidc.Configuration, ProviderAway> | undefined
}

export const layer = (
  all: ReadonlyArray<ProviderSettings>,
  timeouts: ProviderTimeouts = defaultTimeouts
): Layer.Layer<Providers> =>
  Layer.effect(
    Providers,
    Effect.flatMap(OutboundHttp, (http) => make(all, timeouts, http))
  ).pipe(Layer.provide(OutboundHttp.layer))

const make = Effect.fnUntraced(function* (
  all: ReadonlyArray<ProviderSettings>,
  timeouts: ProviderTimeouts,
  http: OutboundHttp["Service"]
) {
  const { awayFor, freshFor, staleFor } = {
    awayFor: Duration.toMillis(timeouts.awayFor),
    freshFor: Duration.toMillis(timeouts.freshFor),
    staleFor: Duration.toMillis(timeouts.staleFor)
  }
  const scope: Scope.Scope = yield* Effect.scope
  const states = new Map<string, ProviderState>(
    all.map(({ id }) => [id, { cached: undefined, away: undefined, pending: undefined }])
  )

  /** Requests the configuration. Concurrent callers share one request. */
  const requestConfiguration = Effect.fnUntraced(function* (provider: ProviderSettings) {
    const state = states.get(provider.id)!
    if (state.pending !== undefined) return state.pending
    const { plain } = provider
    const found =
      plain === undefined
        ? discover(provider, timeouts.request, http)
        : Effect.sync(() => described(provider, plain, timeouts.request, http))
    const pending = yield* found.pipe(
      Effect.tap((configuration) =>
        Effect.map(Clock.currentTimeMillis, (at) => {
          state.cached = { configuration, at }
          state.away = undefined
        })
      ),
      Effect.tapError((error) =>
        Effect.gen(function* () {
          yield* Effect.logWarning(error.message)
          state.away = { at: yield* Clock.currentTimeMillis, detail: error.detail }
        })
      ),
      Effect.ensuring(
        Effect.sync(() => {
          state.pending = undefined
        })
      ),
      // Runs in its own fiber, because other callers share the result when the first is interrupted. Does not start
      // immediately, because `pending` must be set first.
      Effect.forkIn(scope, { startImmediately: false })
    )
    state.pending = pending
    return pending
  })

  const configuration = Effect.fnUntraced(function* (provider: ProviderSettings) {
    const { away, cached } = states.get(provider.id)!
    const now = yield* Clock.currentTimeMillis
    if (cached !== undefined && now - cached.at < freshFor) return cached.configuration
    const failedRecently = away !== undefined && now - away.at < awayFor
    if (cached !== undefined && now - cached.at < staleFor) {
      if (!failedRecently) yield* requestConfiguration(provider)
      return cached.configuration
    }
    if (failedRecently) return yield* new ProviderAway({ provider: provider.id, detail: away.detail })
    return yield* Fiber.join(yield* requestConfiguration(provider))
  })

  return Providers.of({
    all,
    get: (id) => all.find((provider) => provider.id === id),
    configuration,
    available: Effect.fnUntraced(function* (provider) {
      const state = states.get(provider.id)!
      const now = yield* Clock.currentTimeMillis
      // The configuration is cached, but the provider has failed since: ask again when that is permitted.
      if (state.away !== undefined && now - state.away.at < awayFor) return false
      const answer =
        state.away === undefined ? configuration(provider) : Effect.flatMap(requestConfiguration(provider), Fiber.join)
      return yield* Effect.isSuccess(Effect.timeout(answer, timeouts.list))
    }),
    markAway: (provider) =>
      Effect.map(Clock.currentTimeMillis, (at) => {
        states.get(provider.id)!.away = { at, detail: "the provider did not answer" }
      })
  })
})

/** Configuration of a provider without OpenID Connect, from our settings. */
const described = (
  { clientId, clientSecret, issuer }: ProviderSettings,
  { authorizeUrl, tokenUrl, userinfoUrl }: PlainOAuth,
  timeout: Duration.Duration,
  http: OutboundHttp["Service"]
): oidc.Configuration => {
  const server = {
    issuer,
    authorization_endpoint: authorizeUrl,
    token_endpoint: tokenUrl,
    userinfo_endpoint: userinfoUrl,
    // Every such provider takes the secret in the form; few take it in a header.
    token_endpoint_auth_methods_supported: ["client_secret_post"]
  }
  const configuration = new oidc.Configuration(server, clientId, {}, authentication(clientSecret))
  const urls = [issuer, authorizeUrl, tokenUrl, userinfoUrl]
  configuration[oidc.customFetch] = ProviderFetch.make(http, urls, timeout)
  configuration.timeout = Duration.toSeconds(timeout) + 1
  if (urls.some((url) => url.startsWith("http:"))) oidc.allowInsecureRequests(configuration)
  return configuration
}

/** Requests the OpenID configuration. Source: OpenID Connect Discovery §4. */
const discover = (
  provider: ProviderSettings,
  timeout: Duration.Duration,
  http: OutboundHttp["Service"]
): Effect.Effect<oidc.Configuration, ProviderAway> =>
  Effect.tryPromise({
    try: () =>
      oidc.discovery(new URL(provider.issuer), provider.clientId, {}, authentication(provider.clientSecret), {
        [oidc.customFetch]: ProviderFetch.make(http, [provider.issuer], timeout),
        // Longer than our own time-out, which ends first and gives a better error.
        timeout: Duration.toSeconds(timeout) + 1,
        execute: [
          // The library relies on TLS instead of the ID token's signature; this enables the signature check (OpenID
          // Connect Core §3.1.3.7, 6).
          oidc.enableNonRepudiationChecks,
          ...(provider.issuer.startsWith("http:") ? [oidc.allowInsecureRequests] : [])
        ]
      }),
    catch: (error) => new ProviderAway({ provider: provider.id, detail: describeError(error) })
  })

/**
 * Client authentication: by header if the provider supports it or names no method, else in the form. Source: RFC 8414
 * §2.
 */
const authentication = (secret: Redacted.Redacted | undefined): oidc.ClientAuth => {
  if (secret === undefined) return oidc.None()
  const basic = oidc.ClientSecretBasic(Redacted.value(secret))
  const post = oidc.ClientSecretPost(Redacted.value(secret))
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"]
    return (methods.includes("client_secret_basic") || !methods.includes("client_secret_post") ? basic : post)(
      server,
      ...rest
    )
  }
}

/**
 * Describes an error and its causes without text from the provider: a response that is not JSON may contain a token.
 */
export const describeError = (error: unknown): string => {
  if (!(error instanceof Error)) return "unknown"
  if (error instanceof SyntaxError) return "invalid JSON"
  const code =
    (error instanceof oidc.ResponseBodyError || error instanceof oidc.AuthorizationResponseError) &&
    /^[a-z_]{1,40}$/.test(error.error)
      ? ` ${error.error}`
      : ""
  const inner =
    error.cause instanceof Error && error.cause.message !== error.message ? `: ${describeError(error.cause)}` : ""
  return `${error.message}${code}${inner}`.slice(0, maxErrorText)
}

/** Longest error text. Unit: characters. Reason: fits on one log line. */
const maxErrorText = 300
