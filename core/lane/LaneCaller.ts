/**
 * Checks the service token of our own servers (mail server, telephone switch) on the fast lane. They send it as
 * `x-service-token`, as the password of HTTP Basic, or in a form field, from an address of the configured ranges. Reads
 * memory only; `mayAskSoon` first compares the projection with Postgres. It sends no response and counts no refusal.
 */
import type { IncomingMessage } from "node:http"
import type { ServiceTokens } from "../auth/ServiceTokens.ts"
import { hashOf, type Scope } from "../auth/ServiceTokenStore.ts"
import type { Standing } from "../auth/Standing.ts"
import { basicPassword } from "../http/BasicCredentials.ts"
import { clientAddress, trustedFrom } from "../http/ClientAddress.ts"
import { memory, remembering } from "./Remembering.ts"

/** Maximum number of cached client addresses. Reason: parsing an address costs as much as a fast-lane answer. */
const cachedAddresses = 1000

/** Maximum number of headers whose token hash is cached. Reason: a server sends the same header with each request. */
const cachedHeaders = 100

/** Longest cached header. Unit: characters. Reason: a service token has 47. */
const maxHeader = 256

/** Result of a check. `unknown`: the database does not answer. */
export type Admission = "yes" | "no" | "unknown"

export interface LaneCaller {
  /** Whether the client's address is in the ranges. */
  readonly isNear: (request: IncomingMessage) => boolean
  /** Hash of the service token in the headers; undefined without a token or with two credential headers. */
  readonly tokenOf: (request: IncomingMessage) => string | undefined
  /**
   * Like `tokenOf`, for requests that may carry the token in a form field too. All given tokens must be equal. Source:
   * RFC 6749 §2.3 permits one; Dovecot 2.3 sends the same credentials as Basic and as fields.
   */
  readonly tokenBeside: (request: IncomingMessage, field: string | undefined) => string | undefined
  /**
   * Whether the token has the required scope. The caller has checked that `Standing` is fresh, or accepts a stale
   * result.
   */
  readonly mayAsk: (hash: string) => boolean
  /**
   * Like `mayAsk`, after comparing the projection with Postgres. Compares a second time for an unknown token, which may
   * be new.
   */
  readonly mayAskSoon: (hash: string) => Promise<Admission>
}

/** `scope`: required scope; a token with `platform` is accepted too. `ranges`: CIDR; undefined: any address. */
export const make = ({
  ranges,
  scope,
  standing,
  tokens
}: {
  readonly scope: Scope
  readonly ranges?: ReadonlyArray<string>
  readonly tokens: ServiceTokens["Service"]
  readonly standing: Standing["Service"]
}): LaneCaller => {
  const isNear = ranges === undefined ? () => true : remembering(cachedAddresses, trustedFrom(ranges))
  const hashes = memory<string, string>(cachedHeaders)
  // Comparing with the header of the last request costs less than a look-up in a map.
  let latest = { shown: "", hash: "" }

  const mayAsk = (hash: string): boolean => {
    const scopes = tokens.findNow(hash)?.scopes
    return scopes !== undefined && (scopes.has(scope) || scopes.has("platform"))
  }

  /** Cached, because the hash depends on the header alone. The validity of the token is checked each time. */
  const hashFor = (shown: string): string | undefined => {
    if (shown === latest.shown) return latest.hash
    const known = hashes.get(shown)
    if (known !== undefined) {
      latest = { shown, hash: known }
      return known
    }
    const secret = secretIn(shown)
    if (secret === undefined || secret === "") return undefined
    const hash = hashOf(secret)
    if (shown.length <= maxHeader) {
      hashes.set(shown, hash)
      latest = { shown, hash }
    }
    return hash
  }

  const tokenOf = (request: IncomingMessage): string | undefined => {
    const shown = shownBy(request.rawHeaders)
    return typeof shown === "string" ? hashFor(shown) : undefined
  }

  return {
    isNear: (request) => isNear(clientAddress(request)),
    tokenOf,
    tokenBeside: (request, field) => {
      const shown = shownBy(request.rawHeaders)
      if (field === undefined && typeof shown === "string") return hashFor(shown)
      const [secret, ...others] = [...(typeof shown === "string" ? [shown] : shown).map(secretIn), field].filter(
        (found) => found !== undefined
      )
      return secret === undefined || others.some((other) => other !== secret) ? undefined : hashOf(secret)
    },
    mayAsk,
    mayAskSoon: async (hash) => {
      for (const compare of [standing.ensurePromise, standing.refreshPromise]) {
        if (!(await compare())) return "unknown"
        if (mayAsk(hash)) return "yes"
      }
      return "no"
    }
  }
}

/** Prefix that `shownBy` puts before a value of `x-service-token`. No header value contains a line feed. */
const tokenMark = "\n"

const secretIn = (shown: string): string | undefined =>
  shown.startsWith(tokenMark) ? shown.slice(tokenMark.length) : basicPassword(shown)

const none: ReadonlyArray<string> = []

/**
 * The credential headers: the value of the only one, else a list of none or several. Reads the raw list, because Node
 * builds the header object lazily and that costs as much as the rest of an answer.
 */
const shownBy = (raw: ReadonlyArray<string>): string | ReadonlyArray<string> => {
  let first: string | undefined
  let more: Array<string> | undefined
  for (let index = 0; index < raw.length; index += 2) {
    const { length } = raw[index]!
    // Skips the comparison for names of other lengths than `authorization` and `x-service-token`.
    if (length !== 13 && length !== 15) continue
    const name = raw[index]!.toLowerCase()
    if (name !== "authorization" && name !== "x-service-token") continue
    const shown = name === "authorization" ? raw[index + 1]! : `${tokenMark}${raw[index + 1]!}`
    if (first === undefined) first = shown
    else (more ??= [first]).push(shown)
  }
  return more ?? first ?? none
}
