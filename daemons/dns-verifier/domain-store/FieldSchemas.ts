/** Shapes that the requests of dns-verifier share. */
import { Schema } from "effect"
import { Id, maxId, plainText } from "#core/http/Paging.ts"
import { domainProblem, maxTyped } from "./Names.ts"

/** Text in which `problem` finds nothing; what is too long says so by itself. */
const judged = (maximum: number, problem: (text: string) => string | undefined) =>
  Schema.String.pipe(
    Schema.check(
      Schema.isMinLength(1),
      Schema.isMaxLength(maximum),
      Schema.makeFilter((text: string) => (text === "" || text.length > maximum ? undefined : problem(text)))
    )
  )

/** As people type it, in any script. */
export const DomainName = judged(maxTyped, domainProblem)

/** What people read. Unit: UTF-16 units. Reason: a line of a list. */
export const Title = plainText(100)

/**
 * One of an account's credentials; what it has to be beyond that depends on the type. Unit of its bound: characters.
 * Reason: an address of a server.
 */
export const Credential = plainText(2_048)

/** Digits alone: an empty text would be 0. */
const whole = (minimum: number, maximum: number) =>
  Schema.String.check(Schema.isPattern(/^\d{1,10}$/)).pipe(
    Schema.decodeTo(Schema.NumberFromString),
    Schema.decodeTo(Schema.Int.check(Schema.isBetween({ minimum, maximum })))
  )

/** Items in one list. Unit: items. */
const maxList = 200

/** The query of lists that are skipped through. Source: interface document 2 §4.1, §8. */
export const skipping = { skip: Schema.optionalKey(whole(0, maxId)), limit: Schema.optionalKey(whole(1, maxList)) }
/** Source: interface document 2 §8. */
export const defaultLimit = 50

/** What such a list answers; `next_skip` is null on the last one. */
export const listOf = <S extends Schema.Codec<unknown, unknown>>(item: S) =>
  Schema.Struct({ items: Schema.Array(item), next_skip: Schema.NullOr(Schema.Int) })

/** Of what was read with one row more than `limit`. */
export const skipped = <A>(found: ReadonlyArray<A>, skip: number, limit: number) => ({
  items: found.slice(0, limit),
  next_skip: found.length > limit ? skip + limit : null
})

export const ofCustomer = { customer_id: Schema.optionalKey(Id) }

export const strict = { errors: "all", onExcessProperty: "error" } as const
