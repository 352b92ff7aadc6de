/** Categories of notifications by name; they are open, so one that is not known here is shown as it is. */
import { words } from "../../lib/Language.ts"

const t = words({
  en: {
    system: "System",
    payment: "Payment",
    dunning: "Dunning",
    crm: "Customers",
    security: "Security",
    mail: "Mail",
    provisioning: "Provisioning"
  },
  de: {
    system: "System",
    payment: "Zahlung",
    dunning: "Mahnwesen",
    crm: "Kunden",
    security: "Sicherheit",
    mail: "E-Mail",
    provisioning: "Bereitstellung"
  }
})

/** The usual ones. Source: interface document 1 §2.5, and `provisioning`. */
export const categories = ["system", "payment", "dunning", "crm", "security", "mail", "provisioning"] as const

export const categoryName = (category: string): string =>
  (t() as Readonly<Record<string, string>>)[category] ?? category
