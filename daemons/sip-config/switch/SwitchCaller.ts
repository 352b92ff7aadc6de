/**
 * Authenticates the switch. It needs a service token with the scope `switch` or `platform`, and an address within the
 * allowed ranges. While Postgres is away, known tokens stay valid, because calls must go on.
 */
import type { IncomingMessage } from "node:http"
import type { ServiceTokens } from "#core/auth/ServiceTokens.ts"
import type { Scope } from "#core/auth/ServiceTokenStore.ts"
import type { Standing } from "#core/auth/Standing.ts"
import * as LaneCaller from "#core/lane/LaneCaller.ts"
import { make as lastKnown } from "../routing/Exports.ts"

/** Scope that a token needs. */
export const switchScope: Scope = "switch"

export interface SwitchCaller {
  /** Judges a request; synchronous when no comparison with the database is needed. */
  readonly judge: (request: IncomingMessage) => LaneCaller.Admission | Promise<LaneCaller.Admission>
}

/** Creates the authentication. `ranges`: allowed addresses (CIDR). */
export const make = (
  ranges: ReadonlyArray<string>,
  tokens: ServiceTokens["Service"],
  standing: Standing["Service"]
): SwitchCaller => {
  const caller = LaneCaller.make({ scope: switchScope, ranges, tokens, standing })
  const last = lastKnown(standing)

  /**
   * Accepts a known token, however old the information is. SwitchAnswer itself rejects telephony data that is too old.
   */
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
