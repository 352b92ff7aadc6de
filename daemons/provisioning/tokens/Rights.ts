/** Who may create, see and revoke tokens and devices of a user. Pure. */
import { type CallerInfo, holds } from "#core/auth/Caller.ts"
import { all, type Permission } from "#core/auth/Permissions.ts"
import { permissionsOf, type Role } from "#core/auth/Roles.ts"

/** Whether the caller is signed in as the user with this id. Programs with a service token never are. */
export const isOwn = (caller: CallerInfo, userId: number): boolean => caller.kind === "user" && caller.userId === userId

/**
 * The first permission that the caller lacks to create a token of the user. A token signs in as the user, so whoever
 * creates it for somebody else must hold all that this user may do.
 */
export const lackedForToken = (
  caller: CallerInfo,
  user: { readonly user_id: number; readonly role: Role }
): Permission | undefined =>
  isOwn(caller, user.user_id)
    ? undefined
    : (["users.manage", ...all] as const).find(
        (permission) =>
          (permission === "users.manage" || permissionsOf[user.role].has(permission)) && !holds(caller, permission)
      )

/** User whose tokens and devices the caller sees; undefined: those of all users. */
export const seenUser = (caller: CallerInfo): number | undefined =>
  caller.kind === "user" && !caller.permissions.has("users.read") ? caller.userId : undefined

/** User whose tokens and devices the caller may revoke; undefined: those of all users. */
export const managedUser = (caller: CallerInfo): number | undefined =>
  caller.kind === "user" && !caller.permissions.has("users.manage") ? caller.userId : undefined
