/** Helpers for the commands of invoices and payments. */
import { Effect, Option, Result, Schema } from "effect"
import { providerTenant } from "#core/auth/Caller.ts"
import { fail } from "#core/cli/Ending.ts"
import { tenantOfCustomer } from "#core/customers/CustomerTenants.ts"
import { fieldProblems, InvalidRequest } from "#core/http/Problem.ts"

export type Maybe<A> = Option.Option<A>

/** The field, when its flag was given. */
export const given = <const Name extends string, A>(name: Name, flag: Maybe<A>) =>
  (Option.isSome(flag) ? { [name]: flag.value } : {}) as { readonly [K in Name]?: A }

export const decoded = <A>(schema: Schema.Codec<A, unknown>, fields: unknown) => {
  const found = Schema.decodeUnknownResult(schema, { errors: "all" })(fields)
  return Result.isSuccess(found)
    ? Effect.succeed(found.success)
    : Effect.fail(new InvalidRequest({ errors: fieldProblems("payload", found.failure.issue) }))
}

/** Tenant of a new row: the named one, else the customer's, else the provider's. */
export const tenantFor = Effect.fnUntraced(function* (named: Maybe<number>, customer: Maybe<number>) {
  const own = Option.isSome(customer) ? yield* tenantOfCustomer("bank_fetcher", customer.value, "customer") : undefined
  return Option.getOrUndefined(named) ?? own ?? providerTenant
})

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const isId = (text: string): boolean => uuid.test(text)

/** The id; fails when the text is none. */
export const idOf = (text: string) => (isId(text) ? Effect.succeed(text) : fail(`${text} is not an id.`))
