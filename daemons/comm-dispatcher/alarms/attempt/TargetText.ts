/**
 * What a target is told of its alarm. A subject names all targets of an alarm, with the secrets in their
 * addresses, so a target gets the severity, a title, the text and its own part of the subject.
 */
import { alarmReceived } from "#core/contracts/Alarm.ts"
import type { Language } from "#core/words/Language.ts"
import { shippedTexts } from "#core/words/ShippedTexts.ts"
import { type AlarmRetry, format } from "../subject/AlarmSubject.ts"
import { maskTargets } from "../subject/MaskTargets.ts"
import { type Channel, headline, type Severity } from "../../vocabulary/Exports.ts"

export interface TargetText {
  /** Of an alarm: the subject as if this target was its only one. Of a direct request: its first line. */
  readonly subject: string
  /** Heading for people. */
  readonly title: string
  /** The text to speak or send. */
  readonly text: string
}

const words = shippedTexts("comm-dispatcher.targets", {
  en: {
    withoutText: "Alarm without a text",
    withoutTextFrom: "Alarm without a text from {sender}",
    malformed: "An alarm mail from {sender} was not understood. {mistake} Its subject: {subject}"
  },
  de: {
    withoutText: "Alarm ohne Text",
    withoutTextFrom: "Alarm ohne Text von {sender}",
    malformed: "Eine Alarm-Mail von {sender} wurde nicht verstanden. {mistake} Betreff: {subject}"
  }
})

/** A target with its run. */
export interface Told {
  readonly event_type: string
  readonly channel: Channel
  readonly target: string
  readonly severity: Severity | null
  readonly retry: AlarmRetry | null
  readonly subject: string
  readonly body: string
  readonly sender: string
  /** The subject is no alarm, and this run is the notice about it. */
  readonly malformed: boolean
  readonly reason: string | null
}

export const targetText = (row: Told, language: Language): TargetText => {
  const { malformed, withoutText, withoutTextFrom } = words(language)
  if (row.malformed) {
    const subject = maskTargets(row.subject)
    return {
      subject,
      title: subject,
      text: malformed({ sender: row.sender, mistake: maskTargets(row.reason ?? ""), subject })
    }
  }
  const empty = row.body.trim() === ""
  const title = empty ? (row.sender === "" ? withoutText : withoutTextFrom({ sender: row.sender })) : headline(row.body)
  const text = empty ? title : row.body
  // A direct request has no subject: its own is the first line of its text.
  if (row.event_type !== alarmReceived) return { subject: row.subject, title, text }
  const { channel, retry, target } = row
  const severity = row.severity ?? "WARNING"
  const subject = format({ severity, targets: [{ channel, target }], retry: retry ?? undefined })
  return { subject, title, text }
}
