/** Who is told: sign-up, confirmation and leaving as changes of rows. What was wished for holds once it is confirmed. */
import { Effect, Redacted } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { contextOf, type SecretError, Secrets } from "#core/Secrets.ts"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import type { Language } from "../pages/Language.ts"
import { newToken, storedForm, unsubscribeColumn } from "./LinkToken.ts"

export interface Wish {
  readonly email: string
  readonly lang: Language
  /** Component ids; null or none: all. */
  readonly components: ReadonlyArray<string> | null
}

/** Null where all are meant; each once, in a fixed order. */
export const choiceOf = (components: ReadonlyArray<string> | null | undefined): ReadonlyArray<string> | null =>
  components === null || components === undefined || components.length === 0 ? null : [...new Set(components)].sort()

/** The columns of a new subscriber's way out. To be made outside a transaction: sealing reads the key file. */
export const newUnsubscribe: Effect.Effect<{ readonly unsubscribe: string; readonly unsubscribe_envelope: string }, SecretError, Secrets> = Effect.gen(function*() {
  const token = newToken()
  const unsubscribe = storedForm(token)
  return { unsubscribe, unsubscribe_envelope: yield* (yield* Secrets).seal(Redacted.make(token), contextOf(unsubscribeColumn, unsubscribe)) }
})

/**
 * Takes in one who subscribed elsewhere. `known`: the address is here already, and its row stays as it is; `invalid`: it is no address.
 * Who is not confirmed is kept for as long as a link would hold, gets no mail, and has to sign up again. Never inside a transaction.
 */
export const admit = (
  { components, confirmed, email, lang }: Wish & { readonly confirmed: boolean }
): Effect.Effect<"added" | "known" | "invalid", SqlError.SqlError | SecretError, SqlClient.SqlClient | Secrets> =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const address = normaliseEmail(email)
    if (address === undefined) return "invalid"
    const { unsubscribe, unsubscribe_envelope } = yield* newUnsubscribe
    const added = yield* sql`insert into status_checker.subscribers (email, lang, components, status, unsubscribe, unsubscribe_envelope, confirmed_at)
      values (${address}, ${lang}, ${choiceOf(components)}::text[], ${confirmed ? "confirmed" : "pending"}, ${unsubscribe}, ${unsubscribe_envelope},
        case when ${confirmed} then now() end)
      on conflict (email) do nothing returning 1`
    return added.length > 0 ? "added" : "known"
  })
