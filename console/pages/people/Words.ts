/** Texts that the pages of people share. */
import type { Answer } from "../../lib/Endpoints.ts"
import { words } from "../../lib/Language.ts"

export type User = Answer<"GET /api/v1/users/:id">
export type Role = User["role"]

/** All roles, the most powerful first. */
export const roles: ReadonlyArray<Role> = ["admin", "reseller", "customer", "user", "support"]

export const shared = words({
  en: {
    users: "Users",
    user: "User",
    roles: "Roles",
    name: "Name",
    email: "E-mail address",
    role: "Role",
    language: "Language",
    timeZone: "Time zone",
    state: "State",
    tenant: "Tenant",
    created: "Created",
    lastSignIn: "Last sign-in",
    never: "never",
    active: "active",
    suspended: "suspended",
    save: "Save",
    cancel: "Cancel",
    change: "Change",
    suspend: "Suspend",
    restore: "Restore",
    delete: "Delete",
    clear: "Remove the filters"
  },
  de: {
    users: "Benutzer",
    user: "Benutzer",
    roles: "Rollen",
    name: "Name",
    email: "E-Mail-Adresse",
    role: "Rolle",
    language: "Sprache",
    timeZone: "Zeitzone",
    state: "Zustand",
    tenant: "Mandant",
    created: "Angelegt",
    lastSignIn: "Letzte Anmeldung",
    never: "nie",
    active: "aktiv",
    suspended: "gesperrt",
    save: "Speichern",
    cancel: "Abbrechen",
    change: "Ändern",
    suspend: "Sperren",
    restore: "Entsperren",
    delete: "Löschen",
    clear: "Filter entfernen"
  }
})

const titles = words({
  en: { admin: "Administrator", reseller: "Reseller", customer: "Customer", user: "User", support: "Support" },
  de: { admin: "Administration", reseller: "Wiederverkauf", customer: "Kunde", user: "Benutzer", support: "Support" }
})

const purposes = words({
  en: {
    admin: "May do everything in its tenant; in the provider's tenant, in all tenants.",
    reseller: "Manages the users, secrets and paid services of its tenant.",
    customer: "Manages mail, domains, telephony and bank of its tenant, and sees its users.",
    user: "Uses the own mail, devices and phone.",
    support: "Sees everything, and changes nothing."
  },
  de: {
    admin: "Darf im eigenen Mandanten alles; im Mandanten des Betreibers in allen.",
    reseller: "Verwaltet Benutzer, Zugangsdaten und bezahlte Dienste des Mandanten.",
    customer: "Verwaltet Mail, Domains, Telefonie und Bank des Mandanten und sieht dessen Benutzer.",
    user: "Benutzt die eigene Mail, die eigenen Geräte und das eigene Telefon.",
    support: "Sieht alles und ändert nichts."
  }
})

export const roleTitle = (role: Role): string => titles()[role]

/** What the role is for, in one sentence. */
export const rolePurpose = (role: Role): string => purposes()[role]
