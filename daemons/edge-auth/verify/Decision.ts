/** Decides the answer to a proxy. Pure. Source: interface document 3 §4.2, rules 1 to 4. */
import { type Asked, urlOf } from "./ForwardedRequest.ts"
import type { Identity } from "../edge/EdgeProjection.ts"
import { loginAddress } from "../edge/ReturnTo.ts"
import type { Role } from "../edge/RouteIndex.ts"

export type Decision =
  /** `identity` undefined: the path is open, and the answer names no user. */
  | { readonly _tag: "Pass"; readonly identity: Identity | undefined }
  | { readonly _tag: "Login"; readonly address: string }
  | { readonly _tag: "Refused" }

/** `required`: role that the path needs; undefined: the path is open. `base`: our own address. */
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
 * Header value for a name: printable ASCII as it is, any other text percent-encoded. `encodedText` tells the two apart.
 * Source: RFC 9110 §5.5, RFC 3986 §2.1.
 */
export const headerText = (text: string): string =>
  /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) ? text : encodeURIComponent(text.toWellFormed())

/** A text as RFC 8187 encodes it, unambiguous for any text: `UTF-8''J%C3%B6rg`. */
export const encodedText = (text: string): string =>
  `UTF-8''${encodeURIComponent(text.toWellFormed()).replace(/['()*]/g, hex)}`

const hex = (one: string): string => `%${one.charCodeAt(0).toString(16).toUpperCase()}`
