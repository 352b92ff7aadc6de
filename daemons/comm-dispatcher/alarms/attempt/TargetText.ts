/**
 * What a target is told of its alarm. Pure. A subject names all targets of an alarm, with the secrets in their
 * addresses, so a target gets the severity, a title, the text and its own part of the subject.
 */
import { alarmReceived } from "#core/contracts/Alarm.ts"
import type { Catalogue, Language } from "#core/words/Language.ts"
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

interface Words {
  readonly withoutText: (sender: string) => string
  readonly malformed: (sender: string, mistake: string, subject: string) => string
}

const words: Catalogue<Words> = {
  de: {
    withoutText: (sender) => `Alarm ohne Text${sender === "" ? "" : ` von ${sender}`}`,
    malformed: (sender, mistake, subject) =>
      `Eine Alarm-Mail von ${sender} wurde nicht verstanden. ${mistake} Betreff: ${subject}`
  },
  en: {
    withoutText: (sender) => `Alarm without a text${sender === "" ? "" : ` from ${sender}`}`,
    malformed: (sender, mistake, subject) =>
      `An alarm mail from ${sender} was not understood. ${mistake} Its subject: ${subject}`
  }
}

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
  const { withoutText, malformed } = words[language]
  if (row.malformed) {
    const subject = maskTargets(row.subject)
    return { subject, title: subject, text: malformed(row.sender, maskTargets(row.reason ?? ""), subject) }
  }
  const empty = row.body.trim() === ""
  const title = empty ? withoutText(row.sender) : headline(row.body)
  const text = empty ? title : row.body
  // A direct request has no subject: its own is the first line of its text.
  if (row.event_type !== alarmReceived) return { subject: row.subject, title, text }
  const { channel, retry, target } = row
  const severity = row.severity ?? "WARNING"
  const subject = format({ severity, targets: [{ channel, target }], retry: retry ?? undefined })
  return { subject, title, text }
}
