import { AlarmFinished } from "#core/contracts/Alarm.ts"
import { onEvent } from "../engine/EventWorkflow.ts"
import { subjectForm } from "../../alarms/Exports.ts"
import { notifyAdmins } from "../steps/NotifyAdmins.ts"

const states: ReadonlySet<string> = new Set(["failed", "partly_delivered"])

const words = {
  de: {
    failed: "Alarm nicht zugestellt",
    partly: "Alarm nur teilweise zugestellt",
    body: (delivered: number, targets: number) =>
      `${delivered} von ${targets} Zielen wurden erreicht; kein weiterer Versuch folgt. Geben Sie den Alarm selbst ` +
      `weiter.`,
    rejected: "Alarm-Mail nicht verstanden",
    mistake: (mistake: string) =>
      `Ein zugelassener Absender hat einen Betreff geschickt, der kein Alarm ist; niemand wurde benachrichtigt. ` +
      `${mistake}. Richtig ist ${subjectForm}.`
  },
  en: {
    failed: "Alarm not delivered",
    partly: "Alarm delivered in part only",
    body: (delivered: number, targets: number) =>
      `${delivered} of ${targets} targets were reached, and none is tried again. Pass the alarm on yourself.`,
    rejected: "Alarm mail not understood",
    mistake: (mistake: string) =>
      `An allowed sender sent a subject that is no alarm; nobody was notified. ${mistake}. The right form is ` +
      `${subjectForm}.`
  }
}

/**
 * Notifies the tenant's admins when an alarm or direct request did not reach all of its targets, and of an allowed
 * sender's subject that is no alarm.
 */
export const alarmNotDelivered = onEvent(AlarmFinished, {
  name: "alarm-not-delivered",
  title: "Tell the admins of alarms that were not delivered",
  when: ({ data }) => states.has(data.state) || data.mistake !== undefined,
  subject: ({ data }) => `alarm ${data.run_id}: ${data.state}, ${data.delivered} of ${data.targets} delivered`,
  steps: [
    notifyAdmins(({ event: { data }, language }) => {
      const { body, failed, mistake, partly, rejected } = words[language]
      const title = data.mistake !== undefined ? rejected : data.state === "failed" ? failed : partly
      return {
        type: `alarm.${data.state}`,
        category: "system",
        severity: "error",
        title: `${data.severity === null ? "" : `${data.severity}: `}${title}`,
        body: data.mistake === undefined ? body(data.delivered, data.targets) : mistake(data.mistake),
        data: { run_id: data.run_id, delivered: data.delivered, targets: data.targets },
        entity_type: "run",
        entity_id: data.run_id,
        action_url: `/console/alarms/${data.run_id}`
      }
    })
  ]
})
