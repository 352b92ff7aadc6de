/** Ownership of a name in the answers of endpoints. */
import { Schema } from "effect"
import { ClaimState } from "../contracts/NameClaims.ts"

export const OwnershipView = Schema.Struct({
  state: ClaimState,
  /** TXT record that proves the ownership; null once it is proven. */
  challenge: Schema.NullOr(Schema.Struct({ type: Schema.Literal("TXT"), name: Schema.String, content: Schema.String }))
})
