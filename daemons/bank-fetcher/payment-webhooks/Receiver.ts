/** Accepts events of payment providers: rate, signature, and what is told about unsigned ones. */
import { Context, Effect, Layer, type Redacted } from "effect"
import { settings } from "#core/config/Environment.ts"
import { Health } from "#core/daemon/Health.ts"
import { isLoopback } from "#core/http/ClientAddress.ts"
import * as RateLimit from "#core/limits/RateLimit.ts"
import * as RefusalLog from "#core/log/RefusalLog.ts"
import { type Acceptance, acceptance } from "./Acceptance.ts"
import { NoWebhookSecret, TooManyEvents, WrongSignature } from "./Errors.ts"
import { webhookSettings } from "./Settings.ts"
import type { ProviderName } from "./WebhookEvents.ts"

/** Events of one address. Reason: far more than a provider sends, and the signature of each costs little time. */
const rate = { burst: 200, perSecond: 20 }

/** Variables with the secrets. */
const variables = { card: "PAYMENTS_CARD_WEBHOOK_SECRET", wallet: "PAYMENTS_WALLET_WEBHOOK_SECRET" } as const

/** A request as far as its acceptance needs it. */
export interface Incoming {
  readonly provider: ProviderName
  readonly address: string
  readonly body: Uint8Array
  readonly signature: string | undefined
  /** Whether a client on this machine sent the request itself. */
  readonly isFromHere: boolean
}

export class Receiver extends Context.Service<
  Receiver,
  {
    /** Fails when the address sends too many events. */
    readonly admit: (address: string) => Effect.Effect<void, TooManyEvents>
    /** True for a signed event, false for an unsigned one; fails when the event is refused. */
    readonly accept: (request: Incoming) => Effect.Effect<boolean, WrongSignature | NoWebhookSecret>
  }
>()("signalbox/bank-fetcher/Receiver") {}

interface Config {
  readonly cardSecret: Redacted.Redacted | undefined
  readonly walletSecret: Redacted.Redacted | undefined
  readonly acceptsUnsigned: boolean
  readonly bind: string
}

export const layer = Layer.effect(
  Receiver,
  Effect.gen(function* () {
    const config: Config = yield* settings(webhookSettings)
    const log = yield* RefusalLog.make("bank-fetcher")
    const limit = RateLimit.make(rate)
    const secrets = { card: config.cardSecret, wallet: config.walletSecret }
    const bindsHere = config.bind === "localhost" || isLoopback(config.bind)
    /** Number of unsigned events accepted since the start. */
    const unsigned = { card: 0, wallet: 0 }
    const open = (["card", "wallet"] as const).filter((provider) => secrets[provider] === undefined)
    if (config.acceptsUnsigned && open.length > 0)
      yield* Effect.logWarning(
        `anybody can record payments: PAYMENTS_ACCEPT_UNSIGNED_WEBHOOKS is on, without a secret for ${open.join(", ")}`
      )
    yield* Health.components(
      Effect.sync(() =>
        Object.fromEntries(
          (["card", "wallet"] as const).map((provider) => [
            `${provider}_webhooks`,
            componentOf(provider, secrets[provider] !== undefined, config.acceptsUnsigned, unsigned[provider])
          ])
        )
      )
    )
    return Receiver.of({
      admit: (address) =>
        limit.take(address, Date.now()) === 0
          ? Effect.void
          : Effect.andThen(
              Effect.sync(() => log.count("rate")),
              Effect.fail(new TooManyEvents({ detail: "This address sends too many events." }))
            ),
      accept: ({ address, body, isFromHere, provider, signature }) => {
        const found: Acceptance = acceptance({
          secret: secrets[provider],
          body,
          signature,
          isLocal: bindsHere && isFromHere,
          acceptsUnsigned: config.acceptsUnsigned
        })
        switch (found) {
          case "signed":
            return Effect.succeed(true)
          case "unsigned":
            unsigned[provider]++
            return Effect.as(
              Effect.logWarning(`accepted an unsigned ${provider} event: ${variables[provider]} is not set`),
              false
            )
          case "wrong":
            return Effect.andThen(
              log.tell({ kind: "webhook_signature", address, entity: "payment_webhook", id: provider }),
              Effect.fail(new WrongSignature({ detail: "X-Webhook-Signature does not fit the body." }))
            )
          case "unconfigured":
            return Effect.andThen(
              log.tell({ kind: "webhook_unconfigured", address, entity: "payment_webhook", id: provider }),
              Effect.fail(
                new NoWebhookSecret({
                  detail: "Unsigned events are accepted from the machine itself only. Set the secret of the provider.",
                  settings: [variables[provider]]
                })
              )
            )
        }
      }
    })
  })
)

/** Health of one provider's events. Pure. */
export const componentOf = (
  provider: ProviderName,
  hasSecret: boolean,
  acceptsUnsigned: boolean,
  unsigned: number
): { readonly status: "ok" | "degraded" | "unconfigured"; readonly detail?: string } => {
  if (hasSecret) return { status: "ok" }
  const variable = variables[provider]
  if (acceptsUnsigned)
    return { status: "degraded", detail: `anybody can record payments without a signature: set ${variable}` }
  return unsigned > 0
    ? { status: "degraded", detail: `accepted ${unsigned} unsigned events from this machine: set ${variable}` }
    : { status: "unconfigured", detail: `accepts unsigned events from this machine: set ${variable}` }
}
