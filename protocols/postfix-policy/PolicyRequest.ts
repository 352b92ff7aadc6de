/**
 * A policy request of Postfix's SMTP server, decoded from its attributes. Pure. Attributes that are not named here stay
 * in `attributes`. Source: SMTPD_POLICY_README, "Protocol description".
 */
import { Result } from "effect"
import type { Attributes } from "./Framing.ts"

export interface PolicyRequest {
  readonly attributes: Attributes
  /** Where the conversation stands: CONNECT, EHLO, HELO, MAIL, RCPT, DATA, END-OF-MESSAGE, VRFY, ETRN. */
  readonly protocolState: string
  /** The same for all requests about one message, another for the next. */
  readonly instance: string | undefined
  /** IPv4 or IPv6, as text. */
  readonly clientAddress: string | undefined
  /** As said in MAIL FROM; none for a bounce, and before MAIL. */
  readonly sender: string | undefined
  /** As said in RCPT TO; with DATA and END-OF-MESSAGE only when it is the only one. */
  readonly recipient: string | undefined
  /** Recipients taken; 0 before DATA. */
  readonly recipientCount: number
  /** The name that signed in. */
  readonly saslUsername: string | undefined
  /** With END-OF-MESSAGE the message's own, before what the client announced, 0 for nothing. Unit: bytes. */
  readonly size: number
}

/** The request, or why it is none. */
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

/** What Postfix does not know it sends empty, or not at all. */
const known = (value: string | undefined): string | undefined => (value === "" ? undefined : value)

const count = (value = ""): number | undefined => (/^\d{0,15}$/.test(value) ? Number(value) : undefined)
