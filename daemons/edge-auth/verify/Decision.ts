/** What the proxy is told. Pure. Source: interface document 3 §4.2, rules 1 to 4. */
import { type Asked, urlOf } from "./ForwardedRequest.ts"
import type { Identity } from "../edge/EdgeProjection.ts"
import { loginAddress } from "../edge/ReturnTo.ts"
import type { Role } from "../edge/RouteIndex.ts"

export type Decision =
  /** Without an identity: the place is open, and nobody is told who comes. */
  | { readonly _tag: "Pass"; readonly identity: Identity | undefined }
  | { readonly _tag: "Login"; readonly address: string }
  | { readonly _tag: "Refused" }

/** `required`: role the place needs; undefined: it is open. `base`: our own address. */
export const decide = (
  asked: Asked,
  required: Role | undefined,
  identity: Identity | undefined,
  base: string
): Decision => {
  if (required === undefined) return { _tag: "Pass", identity: undefined }
  if (identity === undefined) return { _tag: "Login", address: loginAddress(base, urlOf(asked)) }
  return required === "admin" && identity.role !== "admin" ? { _tag: "Refused" } : { _tag: "Pass", identity }
}

/**
 * A header's value from anybody's name: what HTTP cannot carry as it is goes percent-encoded, and so does the percent
 * sign. Source: RFC 9110 §5.5, RFC 3986 §2.1.
 */
export const headerText = (text: string): string =>
  /^[\x21-\x24\x26-\x7e](?:[\x20-\x24\x26-\x7e]*[\x21-\x24\x26-\x7e])?$/.test(text)
    ? text
    : encodeURIComponent(text.toWellFormed())
