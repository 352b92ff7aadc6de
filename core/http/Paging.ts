/** What lists and the numbers in requests share. */
import { Schema } from "effect"

/** Items in one page. Unit: items. */
export const maxPage = 200
export const defaultPage = 50

/** Largest number of a thing that is numbered. Source: Postgres `int`. */
export const maxId = 2_147_483_647

const whole = (maximum: number) =>
  Schema.NumberFromString.pipe(Schema.decodeTo(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum }))))

/** A number of a thing in a path or query, and in a body. */
export const Id = whole(maxId)
export const BodyId = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxId }))

/** The query of a list; `before` is `next_before` of the page before. */
export const page = (largest: number = maxId) => ({
  limit: Schema.optionalKey(whole(maxPage)),
  before: Schema.optionalKey(whole(largest))
})

/** The query of whoever sees every tenant (service tokens, the provider's own admins), to name one. */
export const inTenant = { tenant_id: Schema.optionalKey(Id) }

/** A page of `item`. */
export const pageOf = <S extends Schema.Codec<unknown, unknown>>(item: S) =>
  Schema.Struct({
    items: Schema.Array(item),
    /** Pass it as `before` for the next page; null on the last one. */
    next_before: Schema.NullOr(Schema.Number)
  })

/** The page of what was read with one row more than `limit`. */
export const paged = <A extends { readonly id: number }>(found: ReadonlyArray<A>, limit: number) => {
  const items = found.slice(0, limit)
  return { items, next_before: found.length > limit ? items.at(-1)!.id : null }
}

/** Text without control characters, as a filter or a name may hold. Unit of its bound: UTF-16 units. */
export const plainText = (maximum: number) =>
  Schema.String.pipe(
    Schema.check(
      Schema.isMinLength(1),
      Schema.isMaxLength(maximum),
      Schema.makeFilter((text: string) =>
        /\p{Cc}/u.test(text) || !text.isWellFormed() ? "must not hold control characters" : undefined
      )
    )
  )
