/**
 * The answer to Dovecot's policy question: the body of a 200, `application/json`. Pure. A report's answer is not read,
 * but sent alike. Source: doc.dovecot.org (2.3 authentication/auth_policy); auth-policy.c.
 */
import { Result } from "effect"
import { AuthPolicyError } from "./AuthPolicyError.ts"

export type AuthPolicyAnswer =
  | { readonly _tag: "Allow" }
  /** Dovecot holds its answer to the client back. Unit: whole seconds. */
  | { readonly _tag: "Delay"; readonly seconds: number }
  /** The attempt fails, whatever the password. `message` is shown to the client; empty for Dovecot's own words. */
  | { readonly _tag: "Refuse"; readonly message: string }

/**
 * Longest delay. Unit: seconds. Source: auth-request.c, AUTH_REQUEST_MAX_DELAY_SECS; a longer one is cut there in
 * silence.
 */
export const maxDelay = 300

/**
 * Longest message. Unit: UTF-16 units. Reason: with what stands around it, an IMAP or SMTP line of 512 bytes (RFC 5321
 * §4.5.3.1.5).
 */
export const maxMessageLength = 400

export const encode = (answer: AuthPolicyAnswer): Result.Result<string, AuthPolicyError> => {
  switch (answer._tag) {
    case "Allow":
      return body(0, "")
    case "Delay":
      return Number.isInteger(answer.seconds) && answer.seconds >= 0 && answer.seconds <= maxDelay
        ? body(answer.seconds, "")
        : Result.fail(new AuthPolicyError({ reason: "Delay" }))
    case "Refuse":
      return sayable.test(answer.message) && answer.message.length <= maxMessageLength
        ? body(-1, answer.message)
        : Result.fail(new AuthPolicyError({ reason: "Message" }))
  }
}

/** `status`: below 0 refuses, 0 allows, above 0 delays. */
const body = (status: number, msg: string): Result.Result<string> => Result.succeed(JSON.stringify({ status, msg }))

/** Printable ASCII: the message ends up on a protocol line. */
const sayable = /^[\u0020-\u007e]*$/
