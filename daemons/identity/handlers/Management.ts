import { Layer } from "effect"
import { auditLog } from "../audit-log/Handlers.ts"
import { preferences } from "../preferences/Handlers.ts"
import { serviceTokens } from "../service-tokens/Handlers.ts"
import { tenants } from "../users/tenants/Handlers.ts"
import { rolesHandler, users } from "../users/Handlers.ts"

/** What manages the installation: people, tenants, programs, and the log of all that. */
export const management = Layer.mergeAll(users, rolesHandler, tenants, serviceTokens, auditLog, preferences)
