import * as Api from "#core/http/Api.ts"
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { Id, inTenant, page, pageOf, plainText } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { CustomerNumberTaken } from "./Errors.ts"
import { CustomerChange, CustomerNumber, NewCustomer } from "./Fields.ts"
import { ofTenant, PhoneNumber, strict } from "../directory/Exports.ts"

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

export const ImportView = Schema.Struct({
  id: Schema.Int,
  tenant_id: Schema.Int,
  state: Schema.Literals(["waiting", "running", "finished"]),
  /** `total` is null until the file was read once. */
  rows: Schema.Struct({
    total: Schema.NullOr(Schema.Int),
    done: Schema.Int,
    created: Schema.Int,
    changed: Schema.Int,
    unchanged: Schema.Int,
    failed: Schema.Int
  }),
  /** First hundred rows that failed. `line`: line on which the row ends; the header is line 1. */
  errors: Schema.Array(Schema.Struct({ line: Schema.Int, message: Schema.String })),
  created_at: Schema.String,
  finished_at: Schema.NullOr(Schema.String)
}).annotate({ identifier: "CustomerImport" })

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
            "With `q`: those that have it in their name or number, whatever its case, or this telephone number. `number`: exactly. " +
            "`phone`: by its last ten digits, as callers are looked up."
        })
      ),
    HttpApiEndpoint.post("create", "/", {
      headers: Idempotency.headers,
      payload: Schema.Struct({ ...NewCustomer.fields, ...ofTenant }),
      success: CustomerView.pipe(HttpApiSchema.status(201)),
      error: CustomerNumberTaken
    })
      .annotate(Requires, manage)
      .annotate(HttpApi.PayloadParseOptions, strict)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Make a customer",
          description:
            "Telephone numbers may be written in any way; a national one is of SIGNALBOX_SIP_COUNTRY. Default locale: de. 409 `customer_number_taken`: " +
            "the number is in use, by the customer that the answer names."
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
          summary: "Take in customers from a CSV file",
          description:
            "UTF-8, at most 16 MiB; comma, semicolon or tab. The first line names the columns: `number`, `name`, and of `locale`, `email`, `phones` those " +
            "that are there; several phone numbers in one cell have `|` or `;` between them. A customer that is there with the same number is changed. What " +
            "is wrong with a row fails that row alone. Ask for the import's progress by its id."
        })
      ),
    HttpApiEndpoint.get("progress", "/imports/:id", { params, success: ImportView, error: NotFound })
      .annotate(Requires, read)
      .annotateMerge(OpenApi.annotations({ summary: "How far an import has come", description: "Kept for 90 days." })),
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
      .annotate(HttpApi.PayloadParseOptions, strict)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change a customer",
          description: "At least one field; what is not named stays. `phones` takes the place of all that there were."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:id", { params, success: HttpApiSchema.NoContent, error: NotFound })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Delete a customer",
          description: "Their calls stay, as those of nobody we know."
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/crm/customers")

/** API definition of the feature. */
export const CustomersApi = Api.make("customers").add(customers)
