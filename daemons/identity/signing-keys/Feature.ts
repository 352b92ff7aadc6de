import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { sealedKeys } from "#core/auth/Signer.ts"
import { SigningKeys } from "#core/auth/SigningKeys.ts"
import { Standing } from "#core/auth/Standing.ts"
import * as Feature from "#core/daemon/Feature.ts"
import { type Component, Health } from "#core/daemon/Health.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { SigningKeysApi } from "./Api.ts"
import { keys } from "./Handlers.ts"
import { keySettings, signingKeys as signingKeysLayer } from "./Layers.ts"
import { keysMoved } from "./migrations/0006_keys_moved.ts"

/**
 * Health component: down when no key is valid, because nobody can sign in then. Ok before the first comparison with the
 * database, when the keys are not known yet.
 */
const health = Effect.map(Standing, (standing): Readonly<Record<string, Component>> => {
  const keys = standing.keys(Date.now())
  const age = standing.age()
  return {
    signing_keys:
      age === Number.POSITIVE_INFINITY || keys.length > 0
        ? { status: "ok", keys: keys.length }
        : { status: "down", detail: "there is no valid signing key; see the last failure of the actor `signing keys`" },
    standing: { status: "ok", compared_ms_ago: Number.isFinite(age) ? Math.round(age) : null }
  }
})

/** Signing keys of tokens, and the JWKS with which others verify tokens. */
export const signingKeys = Feature.make({
  settings: keySettings,
  migrations: [keysMoved],
  sealed: [sealedKeys],
  api: SigningKeysApi,
  layer: Layer.merge(
    HttpApiBuilder.layer(SigningKeysApi).pipe(Layer.provide(keys)),
    Layer.effectDiscard(
      Effect.andThen(
        Effect.flatMap(SigningKeys, ({ actor }) => Supervisor.actor(actor)),
        Health.components(health)
      )
    ).pipe(Layer.provide(signingKeysLayer))
  )
})
