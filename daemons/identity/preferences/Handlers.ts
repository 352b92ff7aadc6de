import { Effect } from "effect"
import * as Handlers from "#core/http/Handlers.ts"
import * as Audit from "#core/log/Audit.ts"
import { Caller, inScope } from "#core/auth/Caller.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import { PreferencesApi } from "./Api.ts"
import * as PreferenceStore from "./Store.ts"
import { actor } from "../users/Exports.ts"

/** The signed-in user; the middleware refuses all other callers. */
const user = Effect.flatMap(Caller, (caller) =>
  caller.kind === "user"
    ? Effect.succeed({ id: caller.userId, tenantId: caller.tenantId })
    : Effect.die(new Error("a service token passed UsersOnly"))
)

export const preferences = Handlers.group(PreferencesApi, "preferences", (handlers) =>
  handlers.handleAll({
    read: Effect.fnUntraced(function* () {
      const { id } = yield* user
      return yield* orUnavailable(inScope(PreferenceStore.read(id)))
    }),
    write: Effect.fnUntraced(function* ({ payload }) {
      const owner = yield* user
      const by = yield* actor
      return yield* orUnavailable(
        inScope(
          Effect.gen(function* () {
            const changed = yield* PreferenceStore.write(owner, payload)
            if (changed.length > 0) {
              yield* Audit.write({
                tenantId: owner.tenantId,
                actor: by.name,
                action: "preferences.changed",
                entity: "user",
                id: String(owner.id),
                address: by.address,
                detail: { changed }
              })
            }
            return yield* PreferenceStore.read(owner.id)
          })
        )
      )
    })
  })
)
