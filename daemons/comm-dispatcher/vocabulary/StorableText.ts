/**
 * Text from outside as the ledger keeps it. Postgres text holds neither NUL nor lone surrogates; an alarm that carries
 * some is still an alarm, so they become U+FFFD instead of refusing it. What is too long is cut and says so. Pure.
 */
import { maxBodyLength } from "#core/contracts/Alarm.ts"
import type { AlarmPayload } from "#core/contracts/Alarm.ts"

/** Unit: UTF-16 units. Reason: twice the longest unfolded header line of RFC 5322 §2.1.1 (998), whatever the mailer folded. */
export const maxSubjectLength = 2_000

/** Unit: UTF-16 units. Reason: longer headers are refused by the sender check anyway; the ledger shows their beginning. */
const maxSenderLength = 4_000

/** Unit: UTF-16 units. Reason: one or two sentences of another side's answer. */
export const maxReasonLength = 1_000

const cutMark = " … (cut)"

/** At most `limit` units, the mark of cutting among them. */
export const storable = (text: string, limit: number): string => {
  const cut =
    text.length <= limit ? text : text.slice(0, limit - cutMark.length).replace(/[\uD800-\uDBFF]$/, "") + cutMark
  return cut.replaceAll("\0", "\uFFFD").toWellFormed()
}

/** The payload of a trigger, whoever sent it: mail bridge, API or operator. */
export const storablePayload = (payload: AlarmPayload): AlarmPayload => ({
  email_subject: storable(payload.email_subject, maxSubjectLength),
  email_body: storable(payload.email_body, maxBodyLength),
  email_from: storable(payload.email_from, maxSenderLength)
})

/** Who acknowledged, as the ledger names them, with what they said to it. */
export const acknowledgedBy = (who: string, note: string | undefined): string =>
  storable(note === undefined || note.trim() === "" ? who : `${who}: ${note.trim()}`, maxReasonLength)
