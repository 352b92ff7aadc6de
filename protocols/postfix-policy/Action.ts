/**
 * Encodes an action for Postfix as the answer to a policy request. Pure. Offers only actions that need no Postfix
 * table. It never sends OK or PERMIT, which would end Postfix's other checks. Sources: access(5), SMTPD_POLICY_README.
 */
import { Result } from "effect"
import { PostfixPolicyError } from "./PostfixPolicyError.ts"

export type Action =
  /** No decision: Postfix continues with its next check. */
  | { readonly _tag: "Dunno" }
  /**
   * Refuses permanently, with 554 or the status code at the start of `text`. The client sees `text`; when it is empty,
   * Postfix's default text.
   */
  | { readonly _tag: "Reject"; readonly text: string }
  /** Refuses temporarily with 450, unless a later check refuses permanently. */
  | { readonly _tag: "DeferIfPermit"; readonly text: string }

export const dunno: Action = { _tag: "Dunno" }

/**
 * Longest text. Unit: characters. Reason: a reply line has 512 bytes with code and line end (RFC 5321 §4.5.3.1.5), and
 * Postfix adds the address.
 */
export const maxTextLength = 300

/** The answer, including the empty line that ends it. */
export const encode = (action: Action): Result.Result<string, PostfixPolicyError> => {
  if (action._tag === "Dunno") return Result.succeed(encodedDunno)
  if (action.text.length > maxTextLength || !sayable.test(action.text))
    return Result.fail(new PostfixPolicyError({ reason: { _tag: "Text" } }))
  return Result.succeed(`action=${words[action._tag]} ${action.text}`.trimEnd() + "\n\n")
}

export const encodedDunno = "action=dunno\n\n"

const words = { Reject: "reject", DeferIfPermit: "defer_if_permit" } as const

/** Printable ASCII, because the text becomes part of an SMTP reply. A line break in it would start another reply. */
const sayable = /^[\u0020-\u007e]*$/
