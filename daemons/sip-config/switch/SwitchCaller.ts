/**
 * Admission of the telephone switch: a service token of scope `switch` or `platform` from an address of the ranges.
 * While Postgres is away a token that was valid before stays admitted, because telephony goes on.
 */
import type { IncomingMessage } from "node:http"
import type { ServiceTokens } from "#core/auth/ServiceTokens.ts"
import type { Scope } from "#core/auth/ServiceTokenStore.ts"
import type { Standing } from "#core/auth/Standing.ts"
import * as LaneCaller from "#core/lane/LaneCaller.ts"
import { make as lastKnown } from "../routing/Exports.ts"

/** Required scope of the token. */
export const switchScope: Scope = "switch"

export interface SwitchCaller {
  /** Answers at once when memory suffices. */
  readonly judge: (request: IncomingMessage) => LaneCaller.Admission | Promise<LaneCaller.Admission>
}

/** `ranges`: CIDR. */
export const make = (
  ranges: ReadonlyArray<string>,
  tokens: ServiceTokens["Service"],
  standing: Standing["Service"]
): SwitchCaller => {
  const caller = LaneCaller.make({ scope: switchScope, ranges, tokens, standing })
  const last = lastKnown(standing)

  /** However old the token's projection is. SwitchAnswer refuses to answer from telephony data that is too old. */
  const heldStill = (hash: string): LaneCaller.Admission => (caller.mayAsk(hash) ? "yes" : "unknown")

  return {
    judge: (request) => {
      if (!caller.isNear(request)) return "no"
      const hash = caller.tokenOf(request)
      if (hash === undefined) return "no"
      const known = last.now()
      if (known === "fresh" && caller.mayAsk(hash)) return "yes"
      if (known === "stale") return heldStill(hash)
      return last.soon().then((later) => (later === "stale" ? heldStill(hash) : caller.mayAskSoon(hash)))
    }
  }
}
