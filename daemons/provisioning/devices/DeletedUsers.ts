/** Ends the devices of a deleted user, and deletes them with the user's tokens. */
import { Effect, Schema } from "effect"
import { UserDeleted } from "#core/contracts/Identity.ts"
import { type Event, Events } from "#core/events/Events.ts"
import { transaction } from "#core/sql/Sql.ts"
import { Tokens } from "../tokens/Exports.ts"
import { endCredentials } from "./Revocations.ts"
import * as Store from "./Store.ts"

const isUser = Schema.is(UserDeleted.data)

const forget = Effect.fnUntraced(function* (userId: number) {
  for (const device of yield* Store.activeOf(userId)) yield* endCredentials(device, "user_deleted")
  yield* Store.removeOf(userId)
  yield* Tokens.removeOf(userId)
})

/** The consumer of deletions. */
export const deletedUsers = Effect.map(Events, (events) =>
  events.consumer({
    name: "provisioning.deleted-users",
    pattern: UserDeleted.type,
    handle: (event: Event) =>
      isUser(event.data)
        ? Effect.provideService(transaction(forget(event.data.user_id)), Events, events)
        : Effect.logError(`event ${event.id} (${event.type}) does not match its contract and is skipped`)
  })
)
