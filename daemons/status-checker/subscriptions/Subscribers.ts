/**
 * Subscribers in the database: import, confirmation, removal. A requested choice takes effect with its confirmation.
 */
import { Effect, Redacted } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as Audit from "#core/log/Audit.ts"
import { providerTenant } from "#core/auth/Caller.ts"
import { contextOf, type SecretError, Secrets } from "#core/config/Secrets.ts"
import { transaction } from "#core/sql/Sql.ts"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"
import * as Metrics from "#core/metrics/Metrics.ts"
import { newToken, storedForm, unsubscribeColumn } from "./LinkToken.ts"

export interface SubscriptionRequest {
  readonly email: string
  readonly lang: LanguageCode
  /** Component ids; null or an empty list means all. */
  readonly components: ReadonlyArray<string> | null
}

/** Sorted component ids without duplicates; null means all. */
export const choiceOf = (components: ReadonlyArray<string> | null | undefined): ReadonlyArray<string> | null =>
  components === null || components === undefined || components.length === 0 ? null : [...new Set(components)].sort()

const changes = Metrics.counter("status_subscriptions_total", {
  daemon: "status-checker",
  help: "Subscriptions to the status page that were confirmed or ended.",
  labels: ["outcome"]
})
const count = (outcome: "confirmed" | "left") => Effect.sync(() => changes.add({ outcome }))

/** Columns of a new unsubscribe token. Must run outside a transaction, because sealing reads the key file. */
export const newUnsubscribe: Effect.Effect<
  { readonly unsubscribe: string; readonly unsubscribe_envelope: string },
  SecretError,
  Secrets
> = Effect.gen(function* () {
  const token = newToken()
  const unsubscribe = storedForm(token)
  return {
    unsubscribe,
    unsubscribe_envelope: yield* (yield* Secrets).seal(Redacted.make(token), contextOf(unsubscribeColumn, unsubscribe))
  }
})

/**
 * Adds a subscriber of another system. `known`: the address exists, and its row stays unchanged; `invalid`: no valid
 * address. An unconfirmed subscriber gets no mail, expires like an unused link and has to sign up again. Must run
 * outside a transaction.
 */
export const admit = ({
  components,
  confirmed,
  email,
  lang
}: SubscriptionRequest & { readonly confirmed: boolean }): Effect.Effect<
  "added" | "known" | "invalid",
  SqlError.SqlError | SecretError,
  SqlClient.SqlClient | Secrets
> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const address = normaliseEmail(email)
    if (address === undefined) return "invalid"
    const { unsubscribe, unsubscribe_envelope } = yield* newUnsubscribe
    const added = yield* sql`insert into status_checker.subscribers (email, lang, components, status, unsubscribe,
        unsubscribe_envelope, confirmed_at)
      values (${address}, ${lang}, ${choiceOf(components)}::text[], ${confirmed ? "confirmed" : "pending"},
      ${unsubscribe}, ${unsubscribe_envelope},
        case when ${confirmed} then now() end)
      on conflict (email) do nothing returning 1`
    return added.length > 0 ? "added" : "known"
  })

/**
 * Confirms by the token of a mail. `done`: confirmed now or earlier; `gone`: expired or unknown. `address`: of the
 * client.
 */
export const confirm = Effect.fnUntraced(function* (token: string, address: string) {
  const end = yield* transaction(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const ref = storedForm(token)
      // Locks the subscriber first, in the same order as unsubscribing, which avoids deadlocks.
      const [subscriber] = yield* sql<{ id: number }>`select id from status_checker.subscribers
      where id = (select subscriber_id from status_checker.confirmations where token = ${ref}) for update`
      if (subscriber === undefined) return "gone"
      const [wished] = yield* sql<{
        used: boolean
      }>`update status_checker.confirmations c set used_at = coalesce(c.used_at, now())
      from status_checker.confirmations before
      where c.token = ${ref} and before.token = c.token and (c.expires_at > now() or c.used_at is not null)
      returning before.used_at is not null as used`
      if (wished === undefined) return "gone"
      // A repeated confirmation changes nothing, because a newer request may have been confirmed meanwhile.
      if (wished.used) return "done"
      yield* sql`update status_checker.subscribers s
        set status = 'confirmed', confirmed_at = coalesce(s.confirmed_at, now()), lang = c.lang,
        components = c.components
      from status_checker.confirmations c where c.token = ${ref} and s.id = c.subscriber_id`
      yield* audit("subscriber.confirmed", subscriber.id, address)
      return "confirmed"
    })
  )
  if (end !== "confirmed") return end
  yield* count("confirmed")
  return "done"
})

/** Deletes a subscriber with all mails; false when the token is unknown. */
export const unsubscribe = Effect.fnUntraced(function* (token: string, address: string) {
  const left = yield* transaction(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [gone] = yield* sql<{
        id: number
      }>`delete from status_checker.subscribers where unsubscribe = ${storedForm(token)} returning id`
      if (gone !== undefined) yield* audit("subscriber.left", gone.id, address)
      return gone !== undefined
    })
  )
  if (left) yield* count("left")
  return left
})

const audit = (action: string, id: number, address: string) =>
  Audit.write({ tenantId: providerTenant, actor: "nobody", action, entity: "subscriber", id: String(id), address })
