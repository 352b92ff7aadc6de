/** Payments that requests and CSV rows describe. Pure. */
import type { FieldProblem } from "#core/http/Problem.ts"
import { minorIn } from "../../bank-store/Fields.ts"
import { defaultCurrency } from "../invoice/Fields.ts"
import type { PaymentFields } from "./Fields.ts"
import { proposed } from "./Proposed.ts"
import type { Recorded } from "./RecordPayment.ts"

/** The payment that a request describes, or the fields that are wrong. Pure. */
export const recordedOf = (
  fields: typeof PaymentFields.Type
): Recorded | { readonly problems: ReadonlyArray<FieldProblem> } => {
  const { allocations = [], currency = defaultCurrency, customer_id: customerId = null, note = null } = fields
  const amount = minorIn(fields.amount, currency)
  const found = proposed(allocations, currency)
  if (typeof amount === "object" || "problems" in found)
    return {
      problems: [
        ...(typeof amount === "object" ? [{ field: "payload.amount", message: amount.problem }] : []),
        ...("problems" in found ? found.problems : [])
      ]
    }
  return {
    source: "manual",
    externalId: null,
    customerId,
    amount,
    currency,
    paidOn: fields.paid_on,
    note,
    allocations: found
  }
}
