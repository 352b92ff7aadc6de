import { Effect, Redacted } from "effect"
import * as Handlers from "#core/http/Handlers.ts"
import * as Audit from "#core/log/Audit.ts"
import { Caller, inScope } from "#core/auth/Caller.ts"
import { client } from "#core/http/Client.ts"
import { NotFound, orUnavailable } from "#core/http/Problem.ts"
import { contextOf, Secrets } from "#core/config/Secrets.ts"
import { PushKeys } from "./PushKeys.ts"
import * as PushStore from "./PushStore.ts"
import { NotificationsApi } from "../Api.ts"

/** The signed-in user. The middleware admits no other caller. */
const user = Effect.flatMap(Caller, (caller) =>
  caller.kind === "user" ? Effect.succeed(caller) : Effect.die(new Error("a service token got past UsersOnly"))
)

/** Records the caller's act in the audit log. A browser's address is a secret; the host of its push service is not. */
const note = Effect.fnUntraced(function* (
  tenantId: number,
  action: string,
  id: string,
  detail: Audit.Entry["detail"] = {}
) {
  const { address } = yield* client
  yield* Audit.writeFor({ tenantId, action, entity: "push_subscription", id, address, detail })
})

export const pushHandlers = Handlers.group(
  NotificationsApi,
  "push",
  Effect.fn(function* (handlers) {
    const keys = yield* PushKeys
    const secrets = yield* Secrets
    return handlers.handleAll({
      key: Effect.fnUntraced(function* () {
        const { publicKey } = yield* orUnavailable(Effect.catchTag(keys.pair, "SecretError", Effect.die))
        return { public_key: publicKey }
      }),
      subscriptions: Effect.fnUntraced(function* () {
        const { userId } = yield* user
        return { items: yield* orUnavailable(inScope(PushStore.list(userId))) }
      }),
      subscribe: Effect.fnUntraced(function* ({
        payload: {
          endpoint,
          keys: { auth, p256dh }
        }
      }) {
        const { tenantId, userId } = yield* user
        const secret = Redacted.make(JSON.stringify({ endpoint, keys: { p256dh, auth } }))
        const envelope = yield* Effect.orDie(
          secrets.seal(secret, contextOf(PushStore.sealedSubscriptions, PushStore.idOf(userId, endpoint)))
        )
        return yield* orUnavailable(
          inScope(
            Effect.gen(function* () {
              const { fresh, subscription } = yield* PushStore.put({ userId, tenantId }, endpoint, envelope)
              if (fresh) yield* note(tenantId, "push.subscribed", subscription.id, { service: subscription.service })
              return subscription
            })
          )
        )
      }),
      unsubscribe: Effect.fnUntraced(function* ({ params: { id } }) {
        const { tenantId, userId } = yield* user
        const removed = yield* orUnavailable(
          inScope(
            Effect.tap(PushStore.remove(id, userId), (was) =>
              was ? note(tenantId, "push.unsubscribed", id) : Effect.void
            )
          )
        )
        if (!removed) return yield* new NotFound({ detail: "The subscription does not exist." })
      })
    })
  })
)
