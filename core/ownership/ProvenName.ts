/** Consumer of proven names, for each daemon that uses names. */
import { Effect, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { type ClaimKind, NameProven } from "../contracts/NameClaims.ts"
import { Events } from "../events/Events.ts"
import { transaction } from "../sql/Sql.ts"
import { Supervisor } from "../supervision/Supervisor.ts"

const decode = Schema.decodeUnknownEffect(NameProven.data)

/** Whether the tenant still holds the name. The claim may be released, or opened again, since the event. */
const isHeld = Effect.fnUntraced(function* ({ kind, name, tenant_id: tenantId }: typeof NameProven.data.Type) {
  const sql = yield* SqlClient.SqlClient
  const held = yield* sql`select 1 from core.name_claim
    where kind = ${kind} and tenant_id = ${tenantId} and name = ${name} and state = 'proven' for share`
  return held.length > 0
})

/**
 * Registers a consumer that runs `handle` in a transaction for each proven name of the kind whose tenant still holds
 * it; it may run twice.
 */
export const consumer = <R>(options: {
  readonly name: string
  readonly kind: ClaimKind
  readonly handle: (
    proven: typeof NameProven.data.Type
  ) => Effect.Effect<void, SqlError.SqlError, R | SqlClient.SqlClient>
}) =>
  Effect.flatMap(Events, (events) =>
    Supervisor.actor(
      events.consumer({
        name: options.name,
        pattern: NameProven.type,
        from: "beginning",
        handle: (event) =>
          Effect.matchEffect(decode(event.data), {
            onFailure: () => Effect.logError(`event ${event.id} (${event.type}) is not a proven name and is skipped`),
            onSuccess: (proven) =>
              proven.kind === options.kind
                ? transaction(Effect.flatMap(isHeld(proven), (held) => (held ? options.handle(proven) : Effect.void)))
                : Effect.void
          })
      })
    )
  )
