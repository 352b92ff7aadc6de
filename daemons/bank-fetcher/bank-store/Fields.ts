/** Schemas of fields that several features of the daemon have in requests and lists. */
import { Schema } from "effect"
import { BodyId } from "#core/http/Paging.ts"
import { minorOf } from "./Money.ts"

/** A UUID in a path. An impossible one is answered 404. */
export const Uuid = Schema.String.pipe(Schema.check(Schema.isUUID()))

/** Body field to name a tenant, for callers that see every tenant. */
export const namesTenant = { tenant_id: Schema.optionalKey(BodyId) }

/** ISO 4217 code. */
export const Currency = Schema.String.pipe(Schema.check(Schema.isPattern(/^[A-Z]{3}$/)))

/** Maximum number of decimals of any currency. Source: ISO 4217, CLF and UYW. */
const mostDecimals = 4

/**
 * An amount as decimal text. Its number of decimals depends on the currency, so the handler checks it once more with
 * the currency.
 */
export const Amount = Schema.String.pipe(
  Schema.check(
    Schema.makeFilter((text: string) =>
      new RegExp(`^-?\\d{1,15}(\\.\\d{1,${mostDecimals}})?$`).test(text)
        ? undefined
        : "must be a decimal number such as 250.50 or -12.50"
    )
  )
)

/** Minor units of an amount, or the problem with it. */
export const minorIn = (text: string, currency: string): number | { readonly problem: string } =>
  minorOf(text, currency) ?? { problem: `must be an amount in ${currency} such as 250.50, with its number of decimals` }

/** A day of the calendar, between 1970 and 2199. */
export const Day = Schema.String.pipe(
  Schema.check(Schema.makeFilter((text: string) => (isDay(text) ? undefined : "must be a day such as 2030-01-31")))
)

/** True for an existing day of the calendar, between 1970 and 2199. */
export const isDay = (text: string): boolean => {
  if (!/^(19[7-9]|2[01]\d)\d-\d\d-\d\d$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}
