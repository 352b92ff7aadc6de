/** Adapters of all provider types over HTTP. */
import { createHash } from "node:crypto"
import { Context, Effect, Layer, Redacted } from "effect"
import { parseCidr } from "#core/http/AddressGuard.ts"
import { OutboundHttp } from "#core/http/OutboundHttp.ts"
import { settings as readSettings } from "#core/config/Environment.ts"
import { anyNetwork } from "#core/http/AddressGuard.ts"
import { type ProviderConfig, providerSettings } from "./Settings.ts"
import { type AccountCredentials, readCredentials } from "./AccountCredentials.ts"
import * as Accounts from "./adapters/AccountLimits.ts"
import { type Adapter, ProviderError } from "./adapters/Adapter.ts"
import * as Hetzner from "./adapters/Hetzner.ts"
import * as Ionos from "./adapters/Ionos.ts"
import { exchangeOf } from "./adapters/ProviderHttp.ts"
import { type CallLimits, callLimits as defaultLimits } from "./adapters/CallLimits.ts"
import * as PowerDns from "./adapters/PowerDns.ts"
import { hasAdapter } from "../domain-store/ProviderTypes.ts"

export class Adapters extends Context.Service<
  Adapters,
  {
    /**
     * Adapter for an account; makes no call. `credentials`: from `Credentials.open`. Fails with `invalid` for a type
     * without an adapter (`hasAdapter`), with `unauthorized` for unusable credentials.
     */
    readonly of: (type: string, credentials: Redacted.Redacted) => Effect.Effect<Adapter, ProviderError>
  }
>()("signalbox/dns-verifier/Adapters") {}

export const layer = (settings: ProviderConfig, callLimits: CallLimits = defaultLimits): Layer.Layer<Adapters> =>
  Layer.effect(
    Adapters,
    Effect.map(OutboundHttp, (http) => make(settings, callLimits, http))
  ).pipe(Layer.provide(OutboundHttp.layer))

export const adapters = Layer.unwrap(Effect.map(readSettings(providerSettings), (config) => layer(config)))

const make = (
  { dnsAllowCidrs, hetznerDnsUrl, ionosDnsUrl }: ProviderConfig,
  callLimits: CallLimits,
  http: OutboundHttp["Service"]
): Adapters["Service"] => {
  const accounts = Accounts.make()
  // Hetzner's and IONOS's addresses are ours or the operator's. A PowerDNS address comes from a customer, so it is
  // guarded.
  const known = exchangeOf(http, anyNetwork)
  const guarded = exchangeOf(
    http,
    dnsAllowCidrs.map(parseCidr).filter((cidr) => cidr !== undefined)
  )

  const adapterOf = (type: string, given: AccountCredentials, key: string): Adapter | undefined => {
    const secret = (name: string) => Redacted.make(given[name] ?? "")
    switch (type) {
      case "provider_a":
        return Hetzner.make(
          { token: secret("api_token"), ...(hetznerDnsUrl === undefined ? {} : { url: hetznerDnsUrl }) },
          known,
          accounts(key, callLimits.rates.provider_a),
          callLimits
        )
      case "provider_b":
        return Ionos.make(
          {
            prefix: given["prefix"] ?? "",
            secret: secret("secret"),
            ...(ionosDnsUrl === undefined ? {} : { url: ionosDnsUrl })
          },
          known,
          accounts(key, callLimits.rates.provider_b),
          callLimits
        )
      case "provider_e": {
        const serverId = given["server_id"]
        return PowerDns.make(
          { url: given["url"] ?? "", key: secret("api_key"), ...(serverId === undefined ? {} : { serverId }) },
          guarded,
          accounts(key, callLimits.rates.provider_e),
          callLimits
        )
      }
      default:
        return undefined
    }
  }

  return Adapters.of({
    of: (type, credentials) =>
      Effect.suspend(() => {
        if (!hasAdapter(type)) return refuse("invalid", "DNS of this provider is not managed from here")
        const given = readCredentials(type, Redacted.value(credentials))
        if (given === undefined) return refuse("unauthorized", "the account has no usable credentials")
        // Accounts with equal credentials share the rate limit and the order of writes, across tenants.
        const key = createHash("sha256")
          .update(JSON.stringify([type, Object.entries(given).toSorted()]))
          .digest("base64")
        const adapter = adapterOf(type, given, key)
        return adapter === undefined
          ? refuse("invalid", "DNS of this provider is not managed from here")
          : Effect.succeed(adapter)
      })
  })
}

const refuse = (reason: ProviderError["reason"], detail: string) =>
  Effect.fail(new ProviderError({ reason, detail, retryAfter: null }))
