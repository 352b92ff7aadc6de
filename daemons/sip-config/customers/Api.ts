import * as Api from "#core/http/Api.ts"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { viewFields } from "#core/imports/Imports.ts"
import { Id, inTenant, page, pageOf, plainText } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { CustomerNumberTaken } from "./Errors.ts"
import { CustomerChange, CustomerNumber, NewCustomer } from "./Fields.ts"
import { ofTenant, PhoneNumber } from "../directory/Exports.ts"

export const CustomerView = Schema.Struct({
  id: Schema.Int,
  tenant_id: Schema.Int,
  number: Schema.String,
  name: Schema.String,
  /** Language for speaking to the customer, as a BCP 47 tag. */
  locale: Schema.String,
  email: Schema.NullOr(Schema.String),
  /** In E.164 format. */
  phones: Schema.Array(Schema.String),
  created_at: Schema.String,
  updated_at: Schema.String
}).annotate({ identifier: "Customer" })

export const ImportView = Schema.Struct({ id: Schema.Int, ...viewFields }).annotate({ identifier: "CustomerImport" })

const params = { id: Id }
const read = "customers.read"
const manage = "customers.manage"

/** Search text. Unit: UTF-16 code units. */
const Search = plainText(100)

/** Endpoints of customers and of their imports. */
export const customers = HttpApiGroup.make("customers")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...page(),
        ...inTenant,
        q: Schema.optionalKey(Search),
        number: Schema.optionalKey(CustomerNumber),
        phone: Schema.optionalKey(PhoneNumber)
      },
      success: pageOf(CustomerView)
    })
      .annotate(Requires, read)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Customers, newest first",
          description:
            "`q` matches a part of the name or number in any letter case, or a telephone number. `number` matches " +
            "exactly. `phone` matches a telephone number by its last ten digits, as the caller lookup does."
        })
      ),
    HttpApiEndpoint.post("create", "/", {
      headers: Idempotency.headers,
      payload: Schema.Struct({ ...NewCustomer.fields, ...ofTenant }),
      success: CustomerView.pipe(HttpApiSchema.status(201)),
      error: CustomerNumberTaken
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create a customer",
          description:
            "Telephone numbers may have any spelling; a national number belongs to SIGNALBOX_SIP_COUNTRY. Default " +
            "locale: de. 409 `customer_number_taken`: another customer, named in the response, has the number."
        })
      ),
    HttpApiEndpoint.post("imported", "/imports", {
      query: inTenant,
      headers: Idempotency.headers,
      payload: Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/csv" })),
      success: ImportView.pipe(HttpApiSchema.status(202))
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Import customers from a CSV file",
          description:
            "The file is UTF-8, at most 16 MiB, separated by comma, semicolon or tab. The first line names the " +
            "columns: `number`, `name` and optionally `locale`, `email`, `phones`. Several phone numbers in one " +
            "cell are separated by `|` or `;`. An existing customer with the same number is updated. An invalid row " +
            "fails without affecting other rows. `GET …/imports/{id}` shows the progress."
        })
      ),
    HttpApiEndpoint.get("progress", "/imports/:id", { params, success: ImportView, error: NotFound })
      .annotate(Requires, read)
      .annotateMerge(
        OpenApi.annotations({ summary: "Progress of an import", description: "An import is kept for 90 days." })
      ),
    HttpApiEndpoint.get("show", "/:id", { params, success: CustomerView, error: NotFound })
      .annotate(Requires, read)
      .annotateMerge(OpenApi.annotations({ summary: "One customer" })),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      payload: CustomerChange,
      success: CustomerView,
      error: [NotFound, CustomerNumberTaken]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change a customer",
          description:
            "At least one field is required; omitted fields keep their values. `phones` replaces all phone numbers."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:id", { params, success: HttpApiSchema.NoContent, error: NotFound })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Delete a customer",
          description: "The customer's calls stay, without a customer."
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/crm/customers")

/** API definition of the feature. */
export const CustomersApi = Api.make("customers").add(customers)
