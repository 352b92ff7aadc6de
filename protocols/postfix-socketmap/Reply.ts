/** Answers of a socketmap and their encoded form. Pure. Source: socketmap_table(5) of Postfix. */
import { encode as netstring } from "./Netstring.ts"

export type Reply =
  | { readonly _tag: "Found"; readonly data: string }
  | { readonly _tag: "NotFound" }
  /** The look-up failed and can be repeated: Postfix defers the mail. */
  | { readonly _tag: "Temporary"; readonly reason: string }

export const notFound: Reply = { _tag: "NotFound" }

/** Longest answer. Unit: bytes. Source: socketmap_table(5). */
export const maxReplyBytes = 100_000

/** Netstring of the answer. An answer that Postfix would not accept becomes a temporary error. */
export const encode = (reply: Reply): string => {
  const text = {
    Found: () => `OK ${reply._tag === "Found" ? reply.data : ""}`,
    NotFound: () => "NOTFOUND ",
    Temporary: () => `TEMP ${reply._tag === "Temporary" ? reply.reason : ""}`
  }[reply._tag]()
  return netstring(Buffer.byteLength(text) > maxReplyBytes ? "TEMP the answer is too long" : text)
}
