/** Schemas of request fields, and paging by `skip` and `limit`. */
import { Schema } from "effect"
import { Id, maxId, plainText } from "#core/http/Paging.ts"
import { domainProblem, maxTyped } from "./Names.ts"

/** Text without a `problem`. A text that is too long reports only its length. */
const judged = (maximum: number, problem: (text: string) => string | undefined) =>
  Schema.String.pipe(
    Schema.check(
      Schema.isMinLength(1),
      Schema.isMaxLength(maximum),
      Schema.makeFilter((text: string) => (text === "" || text.length > maximum ? undefined : problem(text)))
    )
  )

/** Domain name as typed, in any script. */
export const DomainName = judged(maxTyped, domainProblem)

/** Display name. Unit: UTF-16 units. Reason: fits one line of a list. */
export const Title = plainText(100)

/**
 * One field of an account's credentials; AccountCredentials.ts checks it by type. Unit of the limit: characters.
 * Reason: long enough for a server address.
 */
export const Credential = plainText(2_048)

/** Whole number of a query. Decimal digits only, because an empty text would convert to 0. */
export const whole = (minimum: number, maximum: number) =>
  Schema.String.check(Schema.isPattern(/^\d{1,10}$/)).pipe(
    Schema.decodeTo(Schema.NumberFromString),
    Schema.decodeTo(Schema.Int.check(Schema.isBetween({ minimum, maximum })))
  )

/** Longest page. Unit: items. */
const maxList = 200

/** Query of lists that page by `skip`. Source: interface document 2 §4.1, §8. */
export const skipping = { skip: Schema.optionalKey(whole(0, maxId)), limit: Schema.optionalKey(whole(1, maxList)) }
/** Page length without `limit`. Source: interface document 2 §8. */
export const defaultLimit = 50

/** Page of such a list; `next_skip` is null on the last page. */
export const listOf = <S extends Schema.Codec<unknown, unknown>>(item: S) =>
  Schema.Struct({ items: Schema.Array(item), next_skip: Schema.NullOr(Schema.Int) })

/** Builds a page from rows that were read with `limit + 1`. */
export const skipped = <A>(found: ReadonlyArray<A>, skip: number, limit: number) => ({
  items: found.slice(0, limit),
  next_skip: found.length > limit ? skip + limit : null
})

export const ofCustomer = { customer_id: Schema.optionalKey(Id) }
