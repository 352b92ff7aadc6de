/**
 * Handles a subscription request: counts it, stores it as pending and creates the confirmation mail. Known and unknown
 * addresses are handled equally.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { hash } from "node:crypto"
import * as Audit from "#core/log/Audit.ts"
import { providerTenant } from "#core/auth/Caller.ts"
import { clientKey } from "#core/http/ClientKey.ts"
import { contextOf, Secrets } from "#core/config/Secrets.ts"
import * as StoredLog from "#core/limits/StoredLog.ts"
import { transaction } from "#core/sql/Sql.ts"
import { Wake } from "#core/events/Wake.ts"
import * as Metrics from "#core/metrics/Metrics.ts"
import { confirmColumn, newToken, storedForm } from "./LinkToken.ts"
import { mailTopic } from "./MailStore.ts"
import type { MailTransport } from "./MailTransport.ts"
import { addressPolicy, clientPolicy, confirmMessageId, judge, linkHours } from "./SignUpLimits.ts"
import { choiceOf, newUnsubscribe, type SubscriptionRequest } from "./Subscribers.ts"

/** Too many requests from this client. `retryAfter` in seconds. */
export class TooMany extends Schema.TaggedError<TooMany>()("TooMany", { retryAfter: Schema.Int }) {}

/** Too many confirmations wait to be sent. `retryAfter` in seconds. */
export class Full extends Schema.TaggedError<Full>()("Full", { retryAfter: Schema.Int }) {}

const requests = Metrics.counter("status_sign_ups_total", {
  daemon: "status-checker",
  help: "Requests to subscribe to the status page, by outcome.",
  labels: ["outcome"]
})
const count = (outcome: "mailed" | "quiet" | "too_many" | "full") => Effect.sync(() => requests.add({ outcome }))

/** `email` of the request is normalised; `address` is the address of the client. */
export const signUp = Effect.fnUntraced(function* (
  request: SubscriptionRequest,
  address: string,
  transport: MailTransport
) {
  const secrets = yield* Secrets
  // Runs before the transaction, because sealing reads the key file.
  const unsubscribeColumns = yield* newUnsubscribe
  const token = newToken()
  const ref = storedForm(token)
  const messageId = confirmMessageId(ref, transport)
  const envelope = yield* secrets.seal(Redacted.make(token), contextOf(confirmColumn, messageId))
  const verdict = yield* transaction(
    Effect.gen(function* () {
      const [client, addressed] = [clientKey(address), hash("sha256", request.email, "hex")]
      const verdict = judge(yield* counted(client, addressed))
      if (verdict._tag === "TooMany" || verdict._tag === "Full") return verdict
      const sql = yield* SqlClient.SqlClient
      yield* sql`insert into status_checker.sign_ups (client, address, mailed)
        values (${client}, ${addressed}, ${verdict._tag === "Mail"})`
      if (verdict._tag === "Mail") yield* write(request, { ...unsubscribeColumns, ref, messageId, envelope, address })
      return verdict
    })
  )
  yield* count(({ Mail: "mailed", Quiet: "quiet", TooMany: "too_many", Full: "full" } as const)[verdict._tag])
  if (verdict._tag === "TooMany") return yield* new TooMany({ retryAfter: verdict.retryAfter })
  if (verdict._tag === "Full") return yield* new Full({ retryAfter: verdict.retryAfter })
})

/** Counts earlier sign-ups. Locks client and address first, so that a concurrent sign-up is in the counts. */
const counted = Effect.fnUntraced(function* (client: string, address: string) {
  const sql = yield* SqlClient.SqlClient
  yield* StoredLog.lock(clientPolicy, [client])
  yield* StoredLog.lock(addressPolicy, [address])
  const [pending] = yield* sql<{ mails: number }>`
    select count(*)::int as mails from status_checker.mails where kind = 'confirm' and state = 'pending'`
  return {
    client: yield* StoredLog.wait(clientPolicy, [client]),
    address: yield* StoredLog.wait(addressPolicy, [address]),
    waiting: pending!.mails
  }
})

interface Confirmation {
  readonly unsubscribe: string
  readonly unsubscribe_envelope: string
  readonly ref: string
  readonly messageId: string
  readonly envelope: string
  readonly address: string
}

const write = Effect.fnUntraced(function* ({ components, email, lang }: SubscriptionRequest, made: Confirmation) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  const choice = choiceOf(components)
  // Known subscribers keep their current choice until they confirm the new one; the last confirmation wins.
  const [subscriber] = yield* sql<{
    id: number
  }>`insert into status_checker.subscribers (email, lang, components, status, unsubscribe, unsubscribe_envelope)
    values (${email}, ${lang}, ${choice}::text[], 'pending', ${made.unsubscribe}, ${made.unsubscribe_envelope})
    on conflict (email) do update set email = excluded.email returning id`
  yield* sql`insert into status_checker.confirmations (token, subscriber_id, lang, components, expires_at)
    values (${made.ref}, ${subscriber!.id}, ${lang}, ${choice}::text[], now() + make_interval(hours => ${linkHours}))`
  yield* sql`insert into status_checker.mails (subscriber_id, kind, ref, message_id, content, envelope)
    values (${subscriber!.id}, 'confirm', ${made.ref}, ${made.messageId}, ${pg.json({ kind: "confirm", lang })},
    ${made.envelope})`
  yield* Audit.write({
    tenantId: providerTenant,
    actor: "nobody",
    action: "subscriber.asked",
    entity: "subscriber",
    id: String(subscriber!.id),
    address: made.address
  })
  yield* (yield* Wake).announce(mailTopic)
})
