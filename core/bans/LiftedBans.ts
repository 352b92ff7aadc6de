/**
 * Removes a daemon's own rows of bans that another daemon lifted. Without it the daemon would consider the address
 * banned until the original end, and would not announce a new ban.
 */
import { Effect, Layer, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { BanLifted } from "../contracts/Security.ts"
import { type Event, Events } from "../events/Events.ts"
import { normalised } from "../gateway/BanList.ts"
import { Supervisor } from "../supervision/Supervisor.ts"

const decode = Schema.decodeUnknownResult(BanLifted.data)

/** `table`: `mail_admin.ban`, with the columns `address`, `banned_at`, `until`. `consumer`: name of the cursor. */
export const layer = (options: { readonly consumer: string; readonly table: string }) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const events = yield* Events
      const handle = (event: Event) => {
        const data = decode(event.data)
        if (Result.isFailure(data)) return Effect.logError(`event ${event.id} cannot be decoded and is skipped`)
        const address = normalised(data.success.address)!
        return sql`delete from ${sql.literal(options.table)} where address::cidr = ${address}::cidr
          and banned_at <= ${event.at} and until > ${event.at}`
      }
      yield* Supervisor.actor(events.consumer({ name: options.consumer, pattern: BanLifted.type, handle }))
    })
  )
