/** Builds the trigger for comm-dispatcher from a mail and its source. Pure. */
import { providerTenant } from "#core/auth/Caller.ts"
import { alarmReceived, type AlarmSource, type AlarmTrigger } from "#core/contracts/Alarm.ts"
import type { ParsedMail } from "./MailParser.ts"
import { cleanLine } from "./MailText.ts"

export type Trigger = (typeof AlarmTrigger)["data"]["Type"]

/**
 * Longest envelope address that is stored. Unit: UTF-16 code units. Source: RFC 5321 §4.5.3.1.3, a path has 256 octets.
 */
const maxPath = 256

/**
 * Maximum number of envelope recipients that are stored. Reason: a few show which address a device uses; thousands show
 * no more.
 */
const maxRecipients = 20

/** Builds a trigger. It belongs to the provider's tenant, because mailboxes and listener belong to the installation. */
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

/** Source of a mail from SMTP: the part of its envelope that the ledger stores. */
export const smtpSource = (envelope: {
  readonly from: string
  readonly to: ReadonlyArray<string>
  readonly client: string
  /** Whether the client signed in with SMTP AUTH. */
  readonly authenticated: boolean
}): AlarmSource => ({
  kind: "smtp",
  envelope_from: cleanLine(envelope.from, maxPath),
  envelope_to: envelope.to.slice(0, maxRecipients).map((address) => cleanLine(address, maxPath)),
  client_address: cleanLine(envelope.client, maxPath),
  ...(envelope.authenticated ? { authenticated: true } : {})
})
