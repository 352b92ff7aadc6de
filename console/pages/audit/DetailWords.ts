/** Details of entries of the audit log in words: their names, and values that are codes. */
import { words } from "../../lib/Language.ts"
import { methodTitle } from "../people/MethodWords.ts"
import { type Role, roles, roleTitle } from "../people/Words.ts"
import { names } from "./DetailNames.ts"

const find = (all: Readonly<Record<string, unknown>>, key: string): string | undefined =>
  Object.hasOwn(all, key) ? (all[key] as string) : undefined

/** Name of a detail such as `methods`; undefined for an unknown one. */
export const knownDetail = (name: string): string | undefined => find(names(), name)

/** Name of a detail; an unknown one keeps its code. */
export const detailTitle = (name: string): string => knownDetail(name) ?? name

const values = words({
  en: {
    account_changed: "account changed",
    account_deleted: "account deleted",
    account_suspended: "account suspended",
    active: "active",
    assertion: "assertion of the provider",
    blocked: "blocked",
    device_revoked: "device revoked",
    email: "e-mail address",
    false: "no",
    invite: "invitation",
    locale: "language",
    name: "name",
    null: "none",
    password_changed: "password changed",
    pending: "waits for approval",
    refresh_reuse: "session key used twice",
    reset: "reset",
    revoked: "ended by somebody",
    role: "role",
    second_factor_changed: "second factor changed",
    sign_out: "signed out",
    signed_out: "signed out",
    suspended: "suspended",
    tenant_suspended: "tenant suspended",
    time_zone: "time zone",
    true: "yes"
  },
  de: {
    account_changed: "Konto geändert",
    account_deleted: "Konto gelöscht",
    account_suspended: "Konto gesperrt",
    active: "aktiv",
    assertion: "Zusicherung des Betreibers",
    blocked: "gesperrt",
    device_revoked: "Gerät widerrufen",
    email: "E-Mail-Adresse",
    false: "nein",
    invite: "Einladung",
    locale: "Sprache",
    name: "Name",
    null: "keine Angabe",
    password_changed: "Passwort geändert",
    pending: "wartet auf Zulassung",
    refresh_reuse: "Sitzungsschlüssel zweimal benutzt",
    reset: "Zurücksetzen",
    revoked: "von jemandem beendet",
    role: "Rolle",
    second_factor_changed: "zweiter Faktor geändert",
    sign_out: "abgemeldet",
    signed_out: "abgemeldet",
    suspended: "gesperrt",
    tenant_suspended: "Mandant gesperrt",
    time_zone: "Zeitzone",
    true: "ja"
  }
})

/** Details whose texts are codes. Other texts, such as names, are shown as they are. */
const coded = new Set(["because", "by", "changed", "fields", "purpose", "status"])

const isChange = (value: unknown): value is { readonly from: unknown; readonly to: unknown } =>
  typeof value === "object" && value !== null && Object.keys(value).toSorted().join() === "from,to"

/** Value of a detail in words. Objects and lists that are no plain texts are shown as JSON. */
export const detailValue = (name: string, value: unknown): string => {
  if (typeof value === "boolean" || value === null) return find(values(), String(value))!
  if (Array.isArray(value) && value.every((one) => typeof one === "string"))
    return value.map((one) => detailValue(name, one)).join(", ")
  if (isChange(value)) return `${detailValue(name, value.from)} → ${detailValue(name, value.to)}`
  if (typeof value !== "string") return JSON.stringify(value)
  if (name === "methods" || name === "factor") return methodTitle(value)
  if (name === "role") return (roles as ReadonlyArray<string>).includes(value) ? roleTitle(value as Role) : value
  return (coded.has(name) ? find(values(), value) : undefined) ?? value
}
