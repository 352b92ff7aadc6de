import { AlarmFinished } from "#core/contracts/Alarm.ts"
import { onEvent } from "../engine/EventWorkflow.ts"
import { notifyAdmins } from "../steps/NotifyAdmins.ts"

const states: ReadonlySet<string> = new Set(["failed", "partly_delivered"])

const words = {
  de: {
    failed: "Alarm nicht zugestellt",
    partly: "Alarm nur teilweise zugestellt",
    body: (delivered: number, targets: number) =>
      `${delivered} von ${targets} Zielen wurden erreicht; kein weiterer Versuch folgt. Geben Sie den Alarm selbst ` +
      `weiter.`
  },
  en: {
    failed: "Alarm not delivered",
    partly: "Alarm delivered in part only",
    body: (delivered: number, targets: number) =>
      `${delivered} of ${targets} targets were reached, and none is tried again. Pass the alarm on yourself.`
  }
}

/** Notifies the tenant's admins when an alarm or direct request did not reach all of its targets. */
export const alarmNotDelivered = onEvent(AlarmFinished, {
  name: "alarm-not-delivered",
  title: "Tell the admins of alarms that were not delivered",
  when: ({ data }) => states.has(data.state),
  subject: ({ data }) => `alarm ${data.run_id}: ${data.state}, ${data.delivered} of ${data.targets} delivered`,
  steps: [
    notifyAdmins(({ event: { data }, language }) => {
      const { body, failed, partly } = words[language]
      return {
        type: `alarm.${data.state}`,
        category: "system",
        severity: "error",
        title: `${data.severity === null ? "" : `${data.severity}: `}${data.state === "failed" ? failed : partly}`,
        body: body(data.delivered, data.targets),
        data: { run_id: data.run_id, delivered: data.delivered, targets: data.targets },
        entity_type: "run",
        entity_id: data.run_id,
        action_url: `/console/alarms/${data.run_id}`
      }
    })
  ]
})
