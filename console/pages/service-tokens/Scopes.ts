/** Scopes of service tokens in words. */
import { words } from "../../lib/Language.ts"
import type { Permission } from "../../lib/Me.ts"
import { permissionTitle } from "../people/PermissionWords.ts"

/** Scopes that are no permissions, for programs of the installation itself. */
export const machineScopes = ["platform", "introspection", "mail-policy", "mail-push", "switch"] as const
export type MachineScope = (typeof machineScopes)[number]

const t = words({
  en: {
    platform: "everything",
    introspection: "check mail tokens (Dovecot)",
    "mail-policy": "report sign-ins to mail (Dovecot)",
    "mail-push": "report new mail (Dovecot)",
    switch: "read the telephone configuration (FreeSWITCH)"
  },
  de: {
    platform: "alles",
    introspection: "Mail-Tokens prüfen (Dovecot)",
    "mail-policy": "Anmeldungen an der Mail melden (Dovecot)",
    "mail-push": "neue Mail melden (Dovecot)",
    switch: "Telefonkonfiguration lesen (FreeSWITCH)"
  }
})

export const machineTitle = (scope: MachineScope): string => t()[scope]

/** A scope of a token in words. */
export const scopeTitle = (scope: string): string =>
  (machineScopes as ReadonlyArray<string>).includes(scope)
    ? machineTitle(scope as MachineScope)
    : // A scope of a newer server has no text.
      (permissionTitle(scope as Permission) ?? scope)
