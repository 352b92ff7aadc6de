/** Groups of the navigation, in their order. Pages name their group (Pages.ts). */
import { words } from "../lib/Language.ts"

const t = words({
  en: {
    home: "Start",
    alarms: "Alarms",
    mail: "Mail",
    telephony: "Telephony",
    domains: "Domains",
    money: "Money",
    status: "Status",
    system: "System"
  },
  de: {
    home: "Start",
    alarms: "Alarme",
    mail: "Mail",
    telephony: "Telefonie",
    domains: "Domains",
    money: "Geld",
    status: "Status",
    system: "System"
  }
})

export const groupNames = ["home", "alarms", "mail", "telephony", "domains", "money", "status", "system"] as const
export type GroupName = (typeof groupNames)[number]

export const groupTitle = (name: GroupName): string => t()[name]
