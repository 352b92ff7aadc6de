/**
 * Consumers that keep users, mailboxes and extensions up to date: the newest state of each, in any order of events. The
 * newest event of each is kept forever, so a daemon that starts late reads all of them.
 */
import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { SipExtensionChanged, sipExtensionPattern } from "#core/contracts/Extensions.ts"
import { UserChanged } from "#core/contracts/Identity.ts"
import { MailAccountChanged, mailAccountPattern } from "#core/contracts/MailAccounts.ts"
import { type Event, Events } from "#core/events/Events.ts"
import { transaction } from "#core/sql/Sql.ts"
import type { ActorSpec } from "#core/supervision/Supervisor.ts"
import { keepExtension, keepMailbox, keepUser } from "./Store.ts"

type Ground = SqlClient.SqlClient

/** The contracts have plain fields only, so the encoded form equals the decoded form. */
const handler =
  <A>(isValid: (data: unknown) => data is A, keep: (data: A) => Effect.Effect<unknown, unknown, Ground>) =>
  (event: Event) =>
    isValid(event.data)
      ? transaction(keep(event.data))
      : Effect.logError(`event ${event.id} (${event.type}) does not match its contract and is skipped`)

/** The three consumers. */
export const feeds: Effect.Effect<ReadonlyArray<ActorSpec<Ground>>, never, Events> = Effect.map(Events, (events) => [
  events.consumer({
    name: "provisioning.users",
    pattern: "identity.user.*",
    from: "beginning",
    handle: handler(Schema.is(UserChanged.data), keepUser)
  }),
  events.consumer({
    name: "provisioning.mailboxes",
    pattern: mailAccountPattern,
    from: "beginning",
    handle: handler(Schema.is(MailAccountChanged.data), keepMailbox)
  }),
  events.consumer({
    name: "provisioning.extensions",
    pattern: sipExtensionPattern,
    from: "beginning",
    handle: handler(Schema.is(SipExtensionChanged.data), keepExtension)
  })
])
