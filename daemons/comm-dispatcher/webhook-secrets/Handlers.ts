import { Effect, Redacted } from "effect"
import { Caller, inScope, nameOf, tenantOf } from "#core/auth/Caller.ts"
import { client } from "#core/http/Client.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { Forbidden, NotFound, orUnavailable } from "#core/http/Problem.ts"
import { WebhookSecretsApi } from "./Api.ts"
import * as Store from "./Store.ts"

const view = ({ created_at, id, retires_at, tenant_id }: Store.StoredSecret) => ({
  id,
  tenant_id,
  created_at: created_at.toISOString(),
  retires_at: retires_at?.toISOString() ?? null
})

/** The caller's tenant, or the one that a service token names. */
const tenantFor = Effect.fnUntraced(function* (named: number | undefined) {
  const caller = yield* Caller
  const own = tenantOf(caller)
  if (named === undefined || named === own || caller.kind === "service") return named ?? own
  return yield* new Forbidden({ detail: "Only service tokens may name another tenant." })
})

const author = Effect.gen(function* () {
  const { address } = yield* client
  return { actor: nameOf(yield* Caller), address } satisfies Store.Author
})

export const webhookSecrets = Handlers.group(WebhookSecretsApi, "webhook-secrets", (handlers) =>
  Effect.succeed(
    handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const tenantId = query.tenant_id ?? tenantOf(yield* Caller)
        return { items: (yield* orUnavailable(inScope(Store.list(tenantId)))).map(view) }
      }),
      rotate: Effect.fnUntraced(function* ({ payload }) {
        const tenantId = yield* tenantFor(payload?.tenant_id)
        const by = yield* author
        const made = yield* orUnavailable(Store.make)
        const hours = payload?.overlap_hours ?? Store.overlap.default
        const row = yield* orUnavailable(inScope(Store.rotate(made, tenantId, hours, by)))
        return { ...view(row), secret: Redacted.value(made.secret) }
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        const by = yield* author
        const removed = yield* orUnavailable(inScope(Store.remove(params.id, by)))
        if (removed === undefined) return yield* new NotFound({ detail: "The secret does not exist." })
      })
    })
  )
)
