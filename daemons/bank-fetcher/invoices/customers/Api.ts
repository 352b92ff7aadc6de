import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import { boundedList } from "#core/http/BoundedList.ts"
import { Id, inTenant, page, pageOf, plainText } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { Iban, maxIbans } from "./Fields.ts"

export const CustomerView = Schema.Struct({
  customer_id: Schema.Int,
  tenant_id: Schema.Int,
  /** Customer number. */
  number: Schema.String,
  name: Schema.String,
  /** Without blanks, in alphabetical order. */
  ibans: Schema.Array(Schema.String)
}).annotate({ identifier: "BankCustomer" })

const params = { customer_id: Id }
const ibans = boundedList(Iban, { minimum: 0, maximum: maxIbans })

/** Customers with their IBANs. */
export const customers = HttpApiGroup.make("bankCustomers")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...page(), ...inTenant, q: Schema.optionalKey(plainText(100)) },
      success: pageOf(CustomerView)
    })
      .annotate(Requires, "ebics.view")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Customers with their IBANs, newest first",
          description:
            "`q` matches a part of the name or customer number in any letter case, or the beginning of an IBAN. " +
            "Customers themselves are created and changed under `/api/v1/crm/customers`."
        })
      ),
    HttpApiEndpoint.get("show", "/:customer_id/ibans", { params, success: CustomerView, error: NotFound })
      .annotate(Requires, "ebics.view")
      .annotateMerge(OpenApi.annotations({ summary: "IBANs of a customer" })),
    HttpApiEndpoint.put("replace", "/:customer_id/ibans", {
      params,
      payload: Schema.Struct({ ibans }),
      success: CustomerView,
      error: NotFound
    })
      .annotate(Requires, "ebics.reconcile")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Replace the IBANs of a customer",
          description: "Blanks and letter case do not count. Several customers may have the same IBAN."
        })
      ),
    HttpApiEndpoint.post("add", "/:customer_id/ibans", {
      params,
      payload: Schema.Struct({ iban: Iban }),
      success: CustomerView,
      error: NotFound
    })
      .annotate(Requires, "ebics.reconcile")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Add an IBAN to a customer",
          description: `Changes nothing when the customer has it. A customer has at most ${maxIbans} IBANs.`
        })
      ),
    HttpApiEndpoint.delete("clear", "/:customer_id/ibans", {
      params,
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(Requires, "ebics.reconcile")
      .annotateMerge(OpenApi.annotations({ summary: "Remove all IBANs of a customer" }))
  )
  .middleware(Authentication)
  .prefix("/api/v1/crm/ebics/customers")
