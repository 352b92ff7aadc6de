/** Implementation of `signalbox bank customer-ibans`. The commands use the database, so no daemon needs to run. */
import { Effect } from "effect"
import { fail } from "#core/cli/Ending.ts"
import { print, table } from "#core/cli/Output.ts"
import { ReconcileWanted } from "../../bank-store/BankJobs.ts"
import { ibanOf } from "../../bank-store/Iban.ts"
import { changing, operator, reading } from "../../bank-store/OperatorStore.ts"
import { given, type Maybe } from "../OperatorFlags.ts"
import * as Ibans from "./Ibans.ts"

export const list = Effect.fnUntraced(function* (flags: {
  readonly tenant: Maybe<number>
  readonly q: Maybe<string>
  readonly limit: number
  readonly json: boolean
}) {
  const filter = { ...given("tenant_id", flags.tenant), ...given("q", flags.q) }
  const found = yield* reading(Ibans.list(filter, undefined, flags.limit))
  yield* print(flags.json, found, () => ibanLines(found))
})

const ibanLines = (found: ReadonlyArray<Ibans.Customer>) =>
  table("No customers with an IBAN.", [
    ["customer", "number", "name", "tenant", "IBANs"],
    ...found.map((row) => [String(row.customer_id), row.number, row.name, String(row.tenant_id), row.ibans.join(", ")])
  ])

interface CustomerIban {
  readonly customer: number
  readonly iban: string
  readonly json: boolean
}

const normalisedIban = (text: string) => {
  const iban = ibanOf(text)
  return iban === undefined ? fail(`${text} is not an IBAN with correct check digits.`) : Effect.succeed(iban)
}

export const add = Effect.fnUntraced(function* ({ customer, iban, json }: CustomerIban) {
  const adding = Effect.flatMap(normalisedIban(iban), (iban) => Ibans.addIban(customer, iban, operator))
  yield* print(json, yield* changing([ReconcileWanted], adding), (row) => ibanLines([row]))
})

export const remove = Effect.fnUntraced(function* ({ customer, iban, json }: CustomerIban) {
  const removing = Effect.gen(function* () {
    const unwanted = yield* normalisedIban(iban)
    const { ibans } = yield* Ibans.get(customer)
    return yield* Ibans.replace(
      customer,
      ibans.filter((one) => one !== unwanted),
      operator
    )
  })
  yield* print(json, yield* changing([ReconcileWanted], removing), (row) => ibanLines([row]))
})
