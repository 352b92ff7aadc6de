/**
 * Encodes the answer to a policy request of Dovecot: the `application/json` body of a 200 response. Pure. Dovecot does
 * not read the answer to a report; it gets the same form. Source: doc.dovecot.org (2.3 authentication/auth_policy);
 * auth-policy.c.
 */
import { Result } from "effect"
import { AuthPolicyError } from "./AuthPolicyError.ts"

export type AuthPolicyAnswer =
  | { readonly _tag: "Allow" }
  /** Dovecot delays its answer to the client. Unit: whole seconds. */
  | { readonly _tag: "Delay"; readonly seconds: number }
  /** The attempt fails even with the right password. The client sees `message`; when empty, Dovecot's default text. */
  | { readonly _tag: "Refuse"; readonly message: string }

/**
 * Longest delay. Unit: seconds. Source: auth-request.c, AUTH_REQUEST_MAX_DELAY_SECS; Dovecot silently shortens longer
 * delays.
 */
export const maxDelay = 300

/**
 * Longest message. Unit: UTF-16 units. Reason: the message and the text around it must fit an IMAP or SMTP line of 512
 * bytes (RFC 5321 §4.5.3.1.5).
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

/** The JSON body. `status`: below 0 refuses, 0 allows, above 0 delays by that many seconds. */
const body = (status: number, msg: string): Result.Result<string> => Result.succeed(JSON.stringify({ status, msg }))

/** Printable ASCII, because the message becomes part of an IMAP or SMTP line. */
const sayable = /^[\u0020-\u007e]*$/
