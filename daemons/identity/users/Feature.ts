import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import * as Passwords from "#core/password/Passwords.ts"
import { publicBase, publicUrl } from "../sessions/Exports.ts"
import { UsersApi } from "./Api.ts"
import { rolesHandler, users as userHandlers } from "./Handlers.ts"
import { users as userTables } from "./migrations/0001_users.ts"
import { telling } from "./migrations/0007_telling.ts"
import { told } from "./migrations/0008_told.ts"
import { timeZones } from "./migrations/0009_time_zones.ts"
import { tenants } from "./tenants/Handlers.ts"

/** Users, their roles, and tenants. */
export const users = Feature.make({
  settings: { publicUrl },
  migrations: [userTables, telling, told, timeZones],
  api: UsersApi,
  layer: HttpApiBuilder.layer(UsersApi).pipe(
    Layer.provide([userHandlers, rolesHandler, tenants]),
    Layer.provide([publicBase, Passwords.layer])
  )
})
