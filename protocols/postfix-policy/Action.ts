/**
 * What Postfix is to do, written as the answer to a policy request. Pure. Only what needs no table of Postfix's; never
 * OK or PERMIT, which would end its other checks. Sources: access(5), SMTPD_POLICY_README.
 */
import { Result } from "effect"
import { PostfixPolicyError } from "./PostfixPolicyError.ts"

export type Action =
  /** Nothing to say: Postfix goes on with its next check. */
  | { readonly _tag: "Dunno" }
  /** For good: 554, or the status code at the text's start. `text` is shown to the client; empty for Postfix's own. */
  | { readonly _tag: "Reject"; readonly text: string }
  /** For now: 450, unless a later check refuses for good. */
  | { readonly _tag: "DeferIfPermit"; readonly text: string }

export const dunno: Action = { _tag: "Dunno" }

/**
 * Longest text. Unit: characters. Reason: a reply line has 512 bytes with code and line end (RFC 5321 §4.5.3.1.5);
 * Postfix adds the address.
 */
export const maxTextLength = 300

/** The answer with its empty line. */
export const encode = (action: Action): Result.Result<string, PostfixPolicyError> => {
  if (action._tag === "Dunno") return Result.succeed(encodedDunno)
  if (action.text.length > maxTextLength || !sayable.test(action.text))
    return Result.fail(new PostfixPolicyError({ reason: { _tag: "Text" } }))
  return Result.succeed(`action=${words[action._tag]} ${action.text}`.trimEnd() + "\n\n")
}

export const encodedDunno = "action=dunno\n\n"

const words = { Reject: "reject", DeferIfPermit: "defer_if_permit" } as const

/** Printable ASCII: the text becomes part of an SMTP reply, a line end in it another answer. */
const sayable = /^[\u0020-\u007e]*$/
