/**
 * The reply to an alarm mail whose subject is no alarm: what was wrong, and the right form. Only authenticated senders
 * get one, because a reply to a forged From would reach a stranger.
 */
import { Schema } from "effect"
import type { AlarmTrigger } from "#core/contracts/Alarm.ts"
import { brandSigned } from "#core/html/Brand.ts"
import * as Jobs from "#core/jobs/Jobs.ts"
import { shippedTexts } from "#core/words/ShippedTexts.ts"
import { offeredLanguages } from "#core/words/TextMemory.ts"

/** The form of an alarm subject, for people. Source: interface document 1 §2.4. */
export const subjectForm = "SEVERITY:CHANNEL+TARGET[;CHANNEL+TARGET…][;RETRY:NxMm]"

/** Replies to one sender. Unit: milliseconds for each. Reason: a device with a wrong setting repeats its mail. */
export const replyEvery = 3_600_000

/** A reply is due. */
export const AlarmReply = Jobs.define(
  "alarm.reply",
  Schema.Struct({
    to: Schema.String,
    in_reply_to: Schema.String,
    mistake: Schema.String,
    /** ISO 8601. A reply that is older than a day is dropped. */
    at: Schema.String
  })
)

/**
 * The reply job of a mail; undefined: it gets none. The key allows one for each sender and hour. `isChecked`: the mail
 * server authenticates all accepted senders.
 */
export const replyFor = (
  { payload, source }: Pick<typeof AlarmTrigger.data.Type, "payload" | "source">,
  mistake: string,
  isChecked: boolean,
  now: number
) => {
  if (source.kind !== "imap" && source.kind !== "smtp") return undefined
  if (!isChecked && source.authenticated !== true) return undefined
  const to = payload.email_from.trim()
  if (source.message_id === undefined || !/^[^\s<>,;:@"]+@[^\s<>,;:@"]+$/.test(to)) return undefined
  return {
    key: `${to.toLowerCase()} ${Math.floor(now / replyEvery)}`,
    data: { to, in_reply_to: source.message_id, mistake, at: new Date(now).toISOString() }
  }
}

const words = shippedTexts("comm-dispatcher.alarm-reply", {
  en: {
    subject: "Alarm not understood",
    mistake: "Your mail raised no alarm: its subject was not understood. {mistake}",
    form: "The right form is {form}",
    example: "for example {example}"
  },
  de: {
    subject: "Alarm nicht verstanden",
    mistake: "Ihre Mail hat keinen Alarm ausgelöst: Ihr Betreff wurde nicht verstanden. {mistake}",
    form: "Richtig ist {form}",
    example: "zum Beispiel {example}"
  }
})

const example = "CRITICAL:CALL+4930123456;MESSENGER+4711;RETRY:3x5m"

/** The mail, without its sender. Source of the headers: RFC 3834 §3.1.7, §5 (no automatic answer follows). */
export const composeReply = ({ in_reply_to, mistake }: typeof AlarmReply.data.Type) => {
  // In every language, because the sender is often a device whose owner is not known here.
  const all = offeredLanguages().map(({ code }) => words(code))
  const parts = all.map((t) => [t.mistake({ mistake }), t.form({ form: subjectForm }), t.example({ example }), ""])
  return {
    subject: [...new Set(all.map(({ subject }) => subject))].join(" / "),
    text: brandSigned(parts.flat().join("\n")),
    headers: {
      "Auto-Submitted": "auto-replied",
      "X-Auto-Response-Suppress": "All",
      "In-Reply-To": in_reply_to,
      References: in_reply_to
    }
  }
}
