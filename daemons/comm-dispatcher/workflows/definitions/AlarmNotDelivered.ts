import { long, shippedTexts } from "#core/words/ShippedTexts.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"
import { AlarmFinished } from "#core/contracts/Alarm.ts"
import { onEvent } from "../engine/EventWorkflow.ts"
import { subjectForm } from "../../alarms/Exports.ts"
import { outcomeIn } from "../../runs/Exports.ts"
import { notifyAdmins } from "../steps/NotifyAdmins.ts"

type Missed = "failed" | "partly_delivered" | "uncertain"

const isMissed = (state: string): state is Missed =>
  state === "failed" || state === "partly_delivered" || state === "uncertain"

type MissedTarget = NonNullable<(typeof AlarmFinished.data.Type)["missed"]>[number]

const words = shippedTexts("comm-dispatcher.alarm-not-delivered", {
  en: {
    titles: {
      failed: "Not delivered: {title}",
      partly_delivered: "Delivered in part only: {title}",
      uncertain: "Perhaps not delivered: {title}"
    },
    untitled: "Alarm",
    channels: {
      call: "call",
      messenger: "messenger",
      messenger_voice: "voice message",
      webhook: "webhook",
      sms: "SMS"
    },
    missed: "Not reached: {targets}. ",
    body: long(
      "{delivered} of {targets, plural, one {# target was} other {# targets were}} reached; no further attempt ",
      "follows. Pass the alarm on yourself."
    ),
    doubt: "At least one target may have received the alarm, but did not answer. ",
    rejected: "Alarm mail not understood",
    mistake: long(
      "An allowed sender sent a subject that is no alarm; nobody was notified. {mistake}. The right form is ",
      "{form}."
    )
  },
  de: {
    titles: {
      failed: "Nicht zugestellt: {title}",
      partly_delivered: "Nur teilweise zugestellt: {title}",
      uncertain: "Vielleicht nicht zugestellt: {title}"
    },
    untitled: "Alarm",
    channels: {
      call: "Anruf",
      messenger: "Messenger",
      messenger_voice: "Sprachnachricht",
      webhook: "Webhook",
      sms: "SMS"
    },
    missed: "Nicht erreicht: {targets}. ",
    body: long(
      "{delivered} von {targets, plural, one {# Ziel wurde} other {# Zielen wurden}} erreicht; kein weiterer ",
      "Versuch folgt. Geben Sie den Alarm selbst weiter."
    ),
    doubt: "Mindestens ein Ziel hat den Alarm vielleicht bekommen, aber nicht geantwortet. ",
    rejected: "Alarm-Mail nicht verstanden",
    mistake: long(
      "Ein zugelassener Absender hat einen Betreff geschickt, der kein Alarm ist; niemand wurde benachrichtigt. ",
      "{mistake}. Richtig ist {form}."
    )
  }
})

/** A missed target with its reason: `webhook https://example.org/… (status 503)`. */
const missedText = (
  { channel, reason, target }: MissedTarget,
  channels: Readonly<Record<string, string>>,
  language: LanguageCode
): string =>
  `${channels[channel] ?? channel} ${target}` +
  (reason === null || reason === "" ? "" : ` (${outcomeIn(language, reason)})`)

/**
 * Notifies the tenant's admins when an alarm or direct request is not known to have reached all of its targets, and of
 * an allowed sender's subject that is no alarm.
 */
export const alarmNotDelivered = onEvent(AlarmFinished, {
  name: "alarm-not-delivered",
  title: "Tell the admins of alarms that were not delivered",
  when: ({ data }) => isMissed(data.state) || data.mistake !== undefined,
  subject: ({ data }) => `alarm ${data.run_id}: ${data.state}, ${data.delivered} of ${data.targets} delivered`,
  steps: [
    notifyAdmins(({ event: { data }, language }) => {
      const { body, channels, doubt, mistake, missed, rejected, titles, untitled } = words(language)
      const title =
        isMissed(data.state) && data.mistake === undefined
          ? titles[data.state]({ title: data.title ?? untitled })
          : rejected
      const named = (data.missed ?? []).map((target) => missedText(target, channels, language)).join("; ")
      const told =
        (named === "" ? "" : missed({ targets: named })) +
        (data.state === "uncertain" ? doubt : "") +
        body({ delivered: data.delivered, targets: data.targets })
      return {
        type: `alarm.${data.state}`,
        category: "system",
        severity: "error",
        title: `${data.severity === null ? "" : `${data.severity}: `}${title}`,
        body: data.mistake === undefined ? told : mistake({ mistake: data.mistake, form: subjectForm }),
        data: { run_id: data.run_id, delivered: data.delivered, targets: data.targets },
        entity_type: "run",
        entity_id: data.run_id,
        action_url: `/console/alarms/${data.run_id}`
      }
    })
  ]
})
