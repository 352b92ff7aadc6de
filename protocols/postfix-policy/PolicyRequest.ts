/**
 * Decodes a policy request of Postfix's SMTP server from its attributes. Pure. Attributes without a field here remain
 * available in `attributes`. Source: SMTPD_POLICY_README, "Protocol description".
 */
import { Result } from "effect"
import type { Attributes } from "./Framing.ts"

export interface PolicyRequest {
  readonly attributes: Attributes
  /** State of the SMTP session: CONNECT, EHLO, HELO, MAIL, RCPT, DATA, END-OF-MESSAGE, VRFY, ETRN. */
  readonly protocolState: string
  /** Id that is equal for all requests about one message and different for the next message. */
  readonly instance: string | undefined
  /** IPv4 or IPv6, as text. */
  readonly clientAddress: string | undefined
  /** Address from MAIL FROM; undefined for a bounce and before MAIL. */
  readonly sender: string | undefined
  /** Address from RCPT TO. With DATA and END-OF-MESSAGE, present only when it is the only recipient. */
  readonly recipient: string | undefined
  /** Number of accepted recipients; 0 before DATA. */
  readonly recipientCount: number
  /** Login name of the authenticated client. */
  readonly saslUsername: string | undefined
  /** Size of the message at END-OF-MESSAGE; before that the size that the client announced, or 0. Unit: bytes. */
  readonly size: number
}

/** Decodes the attributes; fails with a text that says what is wrong. */
export const decode = (attributes: Attributes): Result.Result<PolicyRequest, string> => {
  if (attributes["request"] !== "smtpd_access_policy") return Result.fail("not a request for smtpd_access_policy")
  const protocolState = known(attributes["protocol_state"])
  const recipientCount = count(attributes["recipient_count"])
  const size = count(attributes["size"])
  if (protocolState === undefined) return Result.fail("no protocol_state")
  if (recipientCount === undefined || size === undefined) return Result.fail("a number that is none")
  return Result.succeed({
    attributes,
    protocolState,
    instance: known(attributes["instance"]),
    clientAddress: known(attributes["client_address"]),
    sender: known(attributes["sender"]),
    recipient: known(attributes["recipient"]),
    recipientCount,
    saslUsername: known(attributes["sasl_username"]),
    size
  })
}

/** Postfix sends unknown values as empty texts or omits them. */
const known = (value: string | undefined): string | undefined => (value === "" ? undefined : value)

const count = (value = ""): number | undefined => (/^\d{0,15}$/.test(value) ? Number(value) : undefined)
