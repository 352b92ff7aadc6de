/**
 * Makes external text storable. Postgres text cannot hold NUL or lone surrogates. An alarm that contains them stays an
 * alarm, so they become U+FFFD. Text that is too long is cut and marked. Pure.
 */
import { maxBodyLength } from "#core/contracts/Alarm.ts"
import type { AlarmPayload } from "#core/contracts/Alarm.ts"

/**
 * Longest subject. Unit: UTF-16 code units. Reason: twice the longest unfolded header line of RFC 5322 §2.1.1 (998).
 */
export const maxSubjectLength = 2_000

/**
 * Longest sender. Unit: UTF-16 code units. Reason: the sender check refuses longer headers; the ledger shows their
 * beginning.
 */
const maxSenderLength = 4_000

/** Longest reason. Unit: UTF-16 code units. Reason: one or two sentences of another side's answer. */
export const maxReasonLength = 1_000

const cutMark = " … (cut)"

/** Cuts to at most `limit` units, including the mark. */
export const storable = (text: string, limit: number): string => {
  const cut =
    text.length <= limit ? text : text.slice(0, limit - cutMark.length).replace(/[\uD800-\uDBFF]$/, "") + cutMark
  return cut.replaceAll("\0", "\uFFFD").toWellFormed()
}

/** Length of a headline. Unit: UTF-16 code units. Reason: one line of a list. */
const headlineLength = 120

/** The first line of a text, for lists and titles. */
export const headline = (text: string): string => {
  const line = text.trim().split(/\r?\n/, 1)[0] ?? ""
  return storable(line.length > headlineLength ? `${line.slice(0, headlineLength)}…` : line, maxSubjectLength)
}

/** Makes the payload of a trigger storable. Triggers come from alarm-bridge, the API or an operator. */
export const storablePayload = (payload: AlarmPayload): AlarmPayload => ({
  email_subject: storable(payload.email_subject, maxSubjectLength),
  email_body: storable(payload.email_body, maxBodyLength),
  email_from: storable(payload.email_from, maxSenderLength)
})

/** Name and note of the person who acknowledged, for the ledger. */
export const acknowledgedBy = (who: string, note: string | undefined): string =>
  storable(note === undefined || note.trim() === "" ? who : `${who}: ${note.trim()}`, maxReasonLength)

/** Longest external text in a notification. Unit: UTF-16 code units. Reason: it is part of a title. */
const maxShown = 100

/** Makes external text safe for a notification: one line, never empty. */
export const shown = (text: string): string =>
  storable(text, maxShown)
    .replace(/\p{Cc}/gu, " ")
    .trim() || "?"
