import { Layer } from "effect"
import { auditLog } from "./AuditLog.ts"
import { preferences } from "./Preferences.ts"
import { serviceTokens } from "./ServiceTokens.ts"
import { tenants } from "./Tenants.ts"
import { rolesHandler, users } from "./Users.ts"

/** What manages the installation: people, tenants, programs, and the log of all that. */
export const management = Layer.mergeAll(users, rolesHandler, tenants, serviceTokens, auditLog, preferences)
