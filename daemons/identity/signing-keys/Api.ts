import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { Unavailable } from "#core/http/Problem.ts"

/** A public key. Source: RFC 7517 §4, RFC 8037 §2. */
export const PublicKey = Schema.Struct({
  kty: Schema.String,
  crv: Schema.String,
  x: Schema.String,
  kid: Schema.String,
  alg: Schema.String,
  use: Schema.String
})

/** Public endpoint of the key set. */
export const keys = HttpApiGroup.make("keys").add(
  HttpApiEndpoint.get("jwks", "/.well-known/jwks.json", {
    success: Schema.Struct({ keys: Schema.Array(PublicKey) }),
    error: Unavailable
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Public keys that verify tokens",
      description:
        "A JSON Web Key Set (RFC 7517). A new key is published ten minutes before it signs. An old key stays until " +
        "its last token has expired."
    })
  )
)

export const SigningKeysApi = Api.make("signing-keys").add(keys)
