/**
 * The named permissions. An endpoint declares the one it needs; a role holds some; service tokens stand above them.
 */
import { Context, Schema } from "effect"

/** Every permission there is. Names that the interface documents fix are kept exactly. */
export const all = ["workflows.manage"] as const

export type Permission = (typeof all)[number]
export const Permission = Schema.Literals(all)

/** What an endpoint asks of a user. Annotate the endpoint or its group: `.annotate(Requires, "workflows.manage")`. */
export const Requires = Context.Reference<Permission | undefined>("signalbox/core/auth/Requires", {
  defaultValue: () => undefined
})

/** An endpoint for people only: a service token is answered 403. Annotate the endpoint: `.annotate(UsersOnly, true)`. */
export const UsersOnly = Context.Reference<boolean>("signalbox/core/auth/UsersOnly", { defaultValue: () => false })
