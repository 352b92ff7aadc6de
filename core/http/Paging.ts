/**
 * Shared parts of lists and ids in requests.
 */
import { Schema } from "effect"

/** Items in one page. Unit: items. */
export const maxPage = 200
export const defaultPage = 50

/** Largest id. Source: Postgres `int`. */
export const maxId = 2_147_483_647

const whole = (maximum: number) =>
  Schema.NumberFromString.pipe(Schema.decodeTo(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum }))))

/** An id in a path or query (text), and in a body (number). */
export const Id = whole(maxId)
export const BodyId = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxId }))

/** Query of a list; `before` is `next_before` of the previous page. */
export const page = (largest: number = maxId) => ({
  limit: Schema.optionalKey(whole(maxPage)),
  before: Schema.optionalKey(whole(largest))
})

/** Query parameter to name a tenant, for callers that see every tenant (service tokens, the provider's admins). */
export const inTenant = { tenant_id: Schema.optionalKey(Id) }

/** A page of `item`. */
export const pageOf = <S extends Schema.Codec<unknown, unknown>>(item: S) =>
  Schema.Struct({
    items: Schema.Array(item),
    /** Value of `before` for the next page; null on the last page. */
    next_before: Schema.NullOr(Schema.Number)
  })

/** Page of rows that were read with one row more than `limit`. */
export const paged = <A extends { readonly id: number }>(found: ReadonlyArray<A>, limit: number) => {
  const items = found.slice(0, limit)
  return { items, next_before: found.length > limit ? items.at(-1)!.id : null }
}

/** Text without control characters, for filters and names. Unit of the limit: UTF-16 units. */
export const plainText = (maximum: number) =>
  Schema.String.pipe(
    Schema.check(
      Schema.isMinLength(1),
      Schema.isMaxLength(maximum),
      Schema.makeFilter((text: string) =>
        /\p{Cc}/u.test(text) || !text.isWellFormed() ? "must not contain control characters" : undefined
      )
    )
  )
