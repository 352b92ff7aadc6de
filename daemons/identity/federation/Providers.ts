/**
 * The configured providers and what is known of them. A provider is asked for its OpenID configuration at the first
 * need, not at the start; one that is away is told as such at once for a while, and what was known of it holds until it
 * can be read anew.
 */
import { Clock, Context, Duration, Effect, Fiber, Layer, Redacted, Schema, type Scope } from "effect"
import * as oidc from "openid-client"
import { OutboundHttp } from "#core/http/OutboundHttp.ts"
import type { ProviderSettings } from "./Settings.ts"
import * as ProviderFetch from "./ProviderFetch.ts"

/** Bounds on waiting; tests set others. */
export interface Patience {
  /** How long a configuration is taken as it was read. Reason: providers change keys and addresses rarely. */
  readonly freshFor: Duration.Duration
  /** How long one that cannot be read anew still holds. Reason: an outage of an hour or a night. */
  readonly holdsFor: Duration.Duration
  /** How long a provider found away is not asked again. Reason: nobody is to wait for a time-out twice in a row. */
  readonly awayFor: Duration.Duration
  /** How long a list of providers waits for one nobody knows yet. Reason: a sign-in page is waiting for it. */
  readonly list: Duration.Duration
  /** How long one request to a provider may take. Reason: somebody is waiting before a browser, and may try again. */
  readonly request: Duration.Duration
}

export const patience: Patience = {
  freshFor: Duration.minutes(10),
  holdsFor: Duration.hours(24),
  awayFor: Duration.seconds(10),
  list: Duration.millis(1_500),
  request: Duration.seconds(8)
}

/** A provider does not answer, or not as one: trying again later can help. */
export class ProviderAway extends Schema.TaggedError<ProviderAway>()("ProviderAway", {
  provider: Schema.String,
  detail: Schema.String
}) {
  override get message() {
    return `outside provider ${this.provider} cannot be used: ${this.detail}`
  }
}

export class Providers extends Context.Service<
  Providers,
  {
    readonly all: ReadonlyArray<ProviderSettings>
    readonly get: (id: string) => ProviderSettings | undefined
    /** What openid-client needs to speak with it. */
    readonly configuration: (provider: ProviderSettings) => Effect.Effect<oidc.Configuration, ProviderAway>
    /** Whether it answered when it was last asked; answers within `Patience.list`. */
    readonly available: (provider: ProviderSettings) => Effect.Effect<boolean>
    /** It did not answer just now. */
    readonly foundAway: (provider: ProviderSettings) => Effect.Effect<void>
  }
>()("signalbox/identity/Providers") {}

interface Held {
  known: { readonly configuration: oidc.Configuration; readonly at: number } | undefined
  /** When it was last found away; undefined once it answered again. */
  away: { readonly at: number; readonly detail: string } | undefined
  asking: Fiber.Fiber<oidc.Configuration, ProviderAway> | undefined
}

export const layer = (all: ReadonlyArray<ProviderSettings>, bounds: Patience = patience): Layer.Layer<Providers> =>
  Layer.effect(
    Providers,
    Effect.flatMap(OutboundHttp, (http) => make(all, bounds, http))
  ).pipe(Layer.provide(OutboundHttp.layer))

const make = Effect.fnUntraced(function* (
  all: ReadonlyArray<ProviderSettings>,
  bounds: Patience,
  http: OutboundHttp["Service"]
) {
  const { awayFor, freshFor, holdsFor } = {
    awayFor: Duration.toMillis(bounds.awayFor),
    freshFor: Duration.toMillis(bounds.freshFor),
    holdsFor: Duration.toMillis(bounds.holdsFor)
  }
  const scope: Scope.Scope = yield* Effect.scope
  const held = new Map<string, Held>(
    all.map(({ id }) => [id, { known: undefined, away: undefined, asking: undefined }])
  )

  /** One question at a time; whoever comes meanwhile waits for its answer. */
  const ask = Effect.fnUntraced(function* (provider: ProviderSettings) {
    const own = held.get(provider.id)!
    if (own.asking !== undefined) return own.asking
    const asking = yield* discover(provider, bounds.request, http).pipe(
      Effect.tap((configuration) =>
        Effect.map(Clock.currentTimeMillis, (at) => {
          own.known = { configuration, at }
          own.away = undefined
        })
      ),
      Effect.tapError((error) =>
        Effect.gen(function* () {
          yield* Effect.logWarning(error.message)
          own.away = { at: yield* Clock.currentTimeMillis, detail: error.detail }
        })
      ),
      Effect.ensuring(
        Effect.sync(() => {
          own.asking = undefined
        })
      ),
      // Whoever asked may go away; the answer is for all. Not at once: `asking` has to be noted first.
      Effect.forkIn(scope, { startImmediately: false })
    )
    own.asking = asking
    return asking
  })

  const configuration = Effect.fnUntraced(function* (provider: ProviderSettings) {
    const { away, known } = held.get(provider.id)!
    const now = yield* Clock.currentTimeMillis
    if (known !== undefined && now - known.at < freshFor) return known.configuration
    const silent = away !== undefined && now - away.at < awayFor
    if (known !== undefined && now - known.at < holdsFor) {
      if (!silent) yield* ask(provider)
      return known.configuration
    }
    if (silent) return yield* new ProviderAway({ provider: provider.id, detail: away.detail })
    return yield* Fiber.join(yield* ask(provider))
  })

  return Providers.of({
    all,
    get: (id) => all.find((provider) => provider.id === id),
    configuration,
    available: Effect.fnUntraced(function* (provider) {
      const own = held.get(provider.id)!
      const now = yield* Clock.currentTimeMillis
      // Known, but found away since: it is asked again as soon as that may be.
      if (own.away !== undefined && now - own.away.at < awayFor) return false
      const look = own.away === undefined ? configuration(provider) : Effect.flatMap(ask(provider), Fiber.join)
      return yield* Effect.isSuccess(Effect.timeout(look, bounds.list))
    }),
    foundAway: (provider) =>
      Effect.map(Clock.currentTimeMillis, (at) => {
        held.get(provider.id)!.away = { at, detail: "it did not answer" }
      })
  })
})

/** Asks for the OpenID configuration. Source: OpenID Connect Discovery §4. */
const discover = (
  provider: ProviderSettings,
  timeout: Duration.Duration,
  http: OutboundHttp["Service"]
): Effect.Effect<oidc.Configuration, ProviderAway> =>
  Effect.tryPromise({
    try: () =>
      oidc.discovery(new URL(provider.issuer), provider.clientId, {}, authentication(provider.clientSecret), {
        [oidc.customFetch]: ProviderFetch.make(http, provider.issuer, timeout),
        // Ours comes first, and says what happened.
        timeout: Duration.toSeconds(timeout) + 1,
        execute: [
          // The library takes TLS for proof of who signed; we look at the signature as well (OpenID Connect Core
          // §3.1.3.7, 6).
          oidc.enableNonRepudiationChecks,
          ...(provider.issuer.startsWith("http:") ? [oidc.allowInsecureRequests] : [])
        ]
      }),
    catch: (error) => new ProviderAway({ provider: provider.id, detail: shownError(error) })
  })

/**
 * By header where the provider takes that, which is what it takes when it says nothing; else in the form. Source: RFC
 * 8414 §2.
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

/** An error and what it came from, without what a provider sent: an answer that is no JSON may hold a token. */
export const shownError = (error: unknown): string => {
  if (!(error instanceof Error)) return "unknown"
  if (error instanceof SyntaxError) return "no JSON"
  const code =
    (error instanceof oidc.ResponseBodyError || error instanceof oidc.AuthorizationResponseError) &&
    /^[a-z_]{1,40}$/.test(error.error)
      ? ` ${error.error}`
      : ""
  const inner =
    error.cause instanceof Error && error.cause.message !== error.message ? `: ${shownError(error.cause)}` : ""
  return `${error.message}${code}${inner}`.slice(0, maxShown)
}

/** Unit: characters. Reason: one line of a log. */
const maxShown = 300
