/** Errors of the customer endpoints, besides invalid input and missing permissions. */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 409: another customer of the tenant has this customer number. */
export class CustomerNumberTaken extends HttpApiError.Problem<CustomerNumberTaken>()(
  "CustomerNumberTaken",
  declaration("customer_number_taken", 409, "Another customer has this number"),
  { ...codeField("customer_number_taken"), customer_id: Schema.Int }
) {}
