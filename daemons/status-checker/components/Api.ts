import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import { boundedList } from "#core/http/BoundedList.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { NotFound } from "#core/http/Problem.ts"
import { accessNote, Title } from "../status/AdminSchemas.ts"
import { IdTaken } from "../status/AdminErrors.ts"
import { Id, line, maxUrl } from "../status/Fields.ts"
import { TooManyComponents, TooManyTries } from "./Errors.ts"

/** Maximum number of checks of a component. Source: SERVICES_FILE. */
const maxChecks = 20

/** Longest text of a check. Unit: UTF-16 units. Source: SERVICES_FILE. */
const text = (maximum: number) => line(maximum).check(Schema.isMaxLength(maximum))
const Host = text(253)
const Wanted = text(1_000)
const Port = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 65_535 }))
const Days = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 365 }))
const HttpStatus = Schema.Int.check(Schema.isBetween({ minimum: 100, maximum: 599 }))

/** A check, in the form of SERVICES_FILE. */
export const CheckDefinition = Schema.Union([
  Schema.Struct({
    type: Schema.Literal("http"),
    url: text(maxUrl),
    /** Accepted statuses. Default: 200 to 399. */
    expect: Schema.optionalKey(boundedList(HttpStatus, { minimum: 1, maximum: 20 })),
    contains: Schema.optionalKey(Wanted)
  }),
  Schema.Struct({ type: Schema.Literal("tcp"), host: Host, port: Port }),
  Schema.Struct({
    type: Schema.Literal("tls"),
    host: Host,
    port: Schema.optionalKey(Port),
    servername: Schema.optionalKey(Host),
    /** Days before the end of the certificate from which the component counts as degraded. */
    days: Schema.optionalKey(Days)
  }),
  Schema.Struct({
    type: Schema.Literal("dns"),
    name: Host,
    record_type: Schema.optionalKey(Schema.Literals(["A", "AAAA", "MX", "TXT", "NS", "CNAME"])),
    server: Schema.optionalKey(Host),
    expect: Schema.optionalKey(boundedList(Wanted, { minimum: 1, maximum: 20 }))
  })
]).annotate({ identifier: "StatusCheckDefinition" })

const Checks = boundedList(CheckDefinition, { minimum: 0, maximum: maxChecks })

export const StoredComponentView = Schema.Struct({
  id: Schema.String,
  /** German; `name_en` is English. */
  name: Schema.String,
  name_en: Schema.String,
  group: Schema.NullOr(Schema.String),
  group_en: Schema.NullOr(Schema.String),
  checks: Schema.Array(CheckDefinition),
  /** Whether SERVICES_FILE has the same id, which then counts. */
  hidden: Schema.Boolean
}).annotate({ identifier: "StoredComponent" })

const fields = {
  name: Title,
  name_en: Title,
  group: Schema.optionalKey(Schema.NullOr(Title)),
  group_en: Schema.optionalKey(Schema.NullOr(Title)),
  checks: Checks
}

export const NewComponent = Schema.Struct({ id: Id, ...fields })

/** All fields of a component except its id, which cannot change. */
export const ComponentWish = Schema.Struct(fields)

const params = { id: Id }
const manage = "system.manage"

/** Components of the database. Those of SERVICES_FILE are changed in the file. */
export const adminComponents = HttpApiGroup.make("adminComponents")
  .add(
    HttpApiEndpoint.get("list", "/", { success: Schema.Struct({ items: Schema.Array(StoredComponentView) }) })
      .annotate(Requires, "system.read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Components of the database, oldest first",
          description:
            "Does not list components of SERVICES_FILE. `url` of a check is the whole address for callers with " +
            "`system.manage`. Others see its scheme and host, because paths and queries may hold secrets."
        })
      ),
    HttpApiEndpoint.post("create", "/", {
      headers: Idempotency.headers,
      payload: NewComponent,
      success: StoredComponentView.pipe(HttpApiSchema.status(201)),
      error: [IdTaken, TooManyComponents]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Add a component",
          description:
            "Public at once, behind the components of SERVICES_FILE. Without checks only incidents change its " +
            "status. 409 `id_taken`: a component has the id."
        })
      ),
    HttpApiEndpoint.post("try", "/try", {
      payload: Schema.Struct({ checks: boundedList(CheckDefinition, { minimum: 1, maximum: maxChecks }) }),
      success: Schema.Struct({
        results: Schema.Array(
          Schema.Struct({
            kind: Schema.String,
            outcome: Schema.Literals(["up", "degraded", "down", "unknown"]),
            detail: Schema.String
          })
        )
      }),
      error: TooManyTries
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Try checks before they are saved",
          description: "Runs each check once from this server. Stores nothing. 429: one caller tries too often."
        })
      ),
    HttpApiEndpoint.put("change", "/:id", {
      params,
      payload: ComponentWish,
      success: StoredComponentView,
      error: NotFound
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({ summary: "Change a component", description: "Its history stays; its id cannot change." })
      ),
    HttpApiEndpoint.delete("remove", "/:id", { params, success: HttpApiSchema.NoContent, error: NotFound })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Delete a component",
          description:
            "It leaves the page at once, and its incidents keep its id. Its response times and the subscriptions to " +
            "it alone are deleted. A component that is added again with the same id within 90 days has its history."
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/admin/components")
  .annotateMerge(OpenApi.annotations({ title: "Components", description: accessNote }))

export const ComponentsApi = Api.make("status-checker").add(adminComponents)
