/**
 * Who may ask as the switch: whoever shows a service token of scope `switch` or `platform`, as x-service-token or as
 * the password of HTTP Basic, from an admitted address. What is known of tokens goes on without Postgres, as the
 * telephony does.
 */
import type { IncomingMessage } from "node:http"
import type { ServiceTokens } from "#core/auth/ServiceTokens.ts"
import { hashOf, type Scope } from "#core/auth/ServiceTokenStore.ts"
import type { Standing } from "#core/auth/Standing.ts"
import { basicPassword } from "#core/http/BasicCredentials.ts"
import { clientAddress, trustedFrom } from "#core/http/ClientAddress.ts"
import { remembering } from "#core/lane/Remembering.ts"
import { make as lastKnown } from "../routing/Exports.ts"

/** What a token needs for this. */
export const switchScope: Scope = "switch"

/**
 * Addresses whose admission is remembered. Unit: addresses. Reason: reading one costs as much as the rest of the
 * answer.
 */
const rememberedAddresses = 1000

/** Longest header whose hash is remembered. Unit: characters. Reason: a token has 47. */
const maxHeader = 256

/** `yes`; `no`; `unknown`: nobody can say while the database is away. */
export type Admission = "yes" | "no" | "unknown"

export interface SwitchCaller {
  /** At once where it can be said at once. */
  readonly judge: (request: IncomingMessage) => Admission | Promise<Admission>
}

/** `ranges`: CIDR. */
export const make = (
  ranges: ReadonlyArray<string>,
  tokens: ServiceTokens["Service"],
  standing: Standing["Service"]
): SwitchCaller => {
  const isAdmitted = remembering(rememberedAddresses, trustedFrom(ranges))
  /**
   * The header that was shown last, and its hash: a switch shows the same each time, and comparing costs less than
   * looking it up.
   */
  let latest = { shown: "", hash: "" }
  const last = lastKnown(standing)

  const mayAsk = (hash: string): boolean => {
    const scopes = tokens.findNow(hash)?.scopes
    return scopes !== undefined && (scopes.has(switchScope) || scopes.has("platform"))
  }

  const hashFor = (request: IncomingMessage): string | undefined => {
    const shown = shownBy(request.rawHeaders)
    if (shown === undefined) return undefined
    if (shown === latest.shown) return latest.hash
    const basic = request.headers.authorization
    const secret = basic === undefined ? request.headers["x-service-token"] : basicPassword(basic)
    if (typeof secret !== "string" || secret === "") return undefined
    const hash = hashOf(secret)
    if (shown.length <= maxHeader) latest = { shown, hash }
    return hash
  }

  /**
   * However long ago it was known: the switch has to be answered, and what is too old to be told is not told
   * (SwitchAnswer).
   */
  const heldStill = (hash: string): Admission => (mayAsk(hash) ? "yes" : "unknown")

  /** For tokens that are not known, and pictures that have to be compared: the token may be a moment old. */
  const compared = async (hash: string): Promise<Admission> => {
    if ((await last.soon()) === "stale") return heldStill(hash)
    if (mayAsk(hash)) return "yes"
    return (await standing.refreshPromise()) ? (mayAsk(hash) ? "yes" : "no") : "unknown"
  }

  return {
    judge: (request) => {
      if (!isAdmitted(clientAddress(request))) return "no"
      const hash = hashFor(request)
      if (hash === undefined) return "no"
      const known = last.now()
      if (known === "fresh" && mayAsk(hash)) return "yes"
      return known === "stale" ? heldStill(hash) : compared(hash)
    }
  }
}

/**
 * The header that names the caller, with its kind; undefined: none, or two. From the raw list: to make the other takes
 * as long as the rest.
 */
const shownBy = (raw: ReadonlyArray<string>): string | undefined => {
  let shown: string | undefined
  for (let index = 0; index < raw.length; index += 2) {
    const { length } = raw[index]!
    if (length !== 13 && length !== 15) continue
    const name = raw[index]!.toLowerCase()
    if (name !== "authorization" && name !== "x-service-token") continue
    if (shown !== undefined) return undefined
    shown = name === "authorization" ? raw[index + 1]! : `\n${raw[index + 1]!}`
  }
  return shown
}
