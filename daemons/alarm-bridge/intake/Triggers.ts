/** From a mail and where it came in to the trigger that comm-dispatcher works on. Pure. */
import { providerTenant } from "#core/auth/Caller.ts"
import { alarmReceived, type AlarmSource, type AlarmTrigger } from "#core/contracts/Alarm.ts"
import type { ParsedMail } from "./MailParser.ts"
import { cleanLine } from "./MailText.ts"

export type Trigger = (typeof AlarmTrigger)["data"]["Type"]

/** Longest envelope address that is kept. Unit: UTF-16 units. Source: RFC 5321 §4.5.3.1.3, a path has 256 octets. */
const maxPath = 256

/**
 * Envelope recipients that are kept. Reason: they say which address a device uses; a list of thousands says no more.
 */
const maxRecipients = 20

/** Alarm mail belongs to the provider: mailboxes and the listener are the installation's, not a customer's. */
export const make = (key: string, mail: ParsedMail, source: AlarmSource, receivedAt: Date): Trigger => ({
  trigger_key: key,
  event_type: alarmReceived,
  payload: { email_subject: mail.subject, email_body: mail.body, email_from: mail.from },
  source: {
    ...source,
    ...(mail.messageId === undefined ? {} : { message_id: mail.messageId }),
    ...(mail.inReplyTo.length === 0 ? {} : { in_reply_to: mail.inReplyTo }),
    ...(mail.authenticationResults === undefined ? {} : { authentication_results: mail.authenticationResults })
  },
  tenant_id: providerTenant,
  received_at: receivedAt.toISOString()
})

/** The envelope of an SMTP transaction, as far as the ledger keeps it. */
export const smtpSource = (envelope: {
  readonly from: string
  readonly to: ReadonlyArray<string>
  readonly client: string
  /** Signed in by SMTP AUTH. */
  readonly authenticated: boolean
}): AlarmSource => ({
  kind: "smtp",
  envelope_from: cleanLine(envelope.from, maxPath),
  envelope_to: envelope.to.slice(0, maxRecipients).map((address) => cleanLine(address, maxPath)),
  client_address: cleanLine(envelope.client, maxPath),
  ...(envelope.authenticated ? { authenticated: true } : {})
})
