import { words } from "../lib/Language.ts"

/** Steps and names of workflows; two underscores stand for the dot, one for the hyphen. */
const t = words({
  en: {
    email__parse_subject: "Read the subject",
    comm__dispatch_actions: "Tell all targets",
    comm__log_result: "Record the result",
    notify__user: "Notify the user",
    notify__admins: "Notify the administrators",
    notify__admins_hourly: "Notify the administrators, at most once an hour",
    alarm: "Alarm",
    account_changed: "Account changed",
    alarm_not_delivered: "Alarm not delivered",
    bank_fetch_failed: "Bank statements not fetched",
    bans_added: "Address banned",
    support_requested: "Support requested"
  },
  de: {
    email__parse_subject: "Betreff lesen",
    comm__dispatch_actions: "Alle Ziele benachrichtigen",
    comm__log_result: "Ergebnis festhalten",
    notify__user: "Die Person benachrichtigen",
    notify__admins: "Die Administration benachrichtigen",
    notify__admins_hourly: "Die Administration benachrichtigen, höchstens einmal je Stunde",
    alarm: "Alarm",
    account_changed: "Konto geändert",
    alarm_not_delivered: "Alarm nicht zugestellt",
    bank_fetch_failed: "Kontoauszüge nicht abgeholt",
    bans_added: "Adresse gesperrt",
    support_requested: "Support angefragt"
  }
})

/** Words of a step or of a workflow; undefined for an unknown one. */
export const knownStep = (name: string): string | undefined => {
  const all: Readonly<Record<string, string>> = t()
  const key = name.replaceAll(".", "__").replaceAll("-", "_")
  return Object.hasOwn(all, key) ? all[key] : undefined
}

/** Name of a step, such as `notify.user`, in words; an unknown one is shown as it is. */
export const stepName = (name: string): string => knownStep(name) ?? name

/** Name of a workflow, such as `alarm-not-delivered`, in words; an unknown one is shown as it is. */
export const workflowName = stepName
