import { Effect } from "effect"
import { Caller, inScope } from "#core/auth/Caller.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import { AppPasswordsApi, type AppPasswordView } from "./Api.ts"
import * as AppPasswords from "./AppPasswords.ts"

const view = (row: AppPasswords.AppPassword): typeof AppPasswordView.Type => ({
  id: row.id,
  tenant_id: row.tenant_id,
  address: row.address,
  user_id: row.user_id,
  device_id: row.device_id,
  device_name: row.device_name,
  created_at: row.created_at.toISOString()
})

/** The signed-in user. The middleware admits no other caller. */
const user = Effect.flatMap(Caller, (caller) =>
  caller.kind === "user" ? Effect.succeed(caller.userId) : Effect.die(new Error("a service token got past UsersOnly"))
)

export const appPasswords = Handlers.group(AppPasswordsApi, "appPasswords", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ params }) {
      return { items: (yield* orUnavailable(inScope(AppPasswords.list(params.id)))).map(view) }
    }),
    remove: Effect.fnUntraced(function* ({ params }) {
      yield* orUnavailable(inScope(AppPasswords.remove(params.id, params.password)))
    })
  })
)

export const ownAppPasswords = Handlers.group(AppPasswordsApi, "ownAppPasswords", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* () {
      return { items: (yield* orUnavailable(inScope(AppPasswords.listOwn(yield* user)))).map(view) }
    }),
    remove: Effect.fnUntraced(function* ({ params }) {
      yield* orUnavailable(inScope(AppPasswords.removeOwn(yield* user, params.password)))
    })
  })
)
