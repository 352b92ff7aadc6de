/** Names of notification categories. Unknown categories are shown unchanged, because the list is open. */
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

/** Known categories. Source: interface document 1 §2.5, and `provisioning`. */
export const categories = ["system", "payment", "dunning", "crm", "security", "mail", "provisioning"] as const

export const categoryName = (category: string): string =>
  (t() as Readonly<Record<string, string>>)[category] ?? category
