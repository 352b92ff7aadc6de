import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { page, pageOf } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { Time } from "#core/http/Time.ts"
import { ChangedSince, IdTaken } from "../status/AdminErrors.ts"
import { MaintenanceOver } from "./Errors.ts"
import { maxWindow } from "./MaintenanceChanges.ts"
import { Note, SomeComponentIds, EntityId, Title, accessNote } from "../status/AdminSchemas.ts"

export const MaintenanceState = Schema.Literals(["planned", "active", "over", "cancelled"])

export const MaintenanceView = Schema.Struct({
  id: Schema.String,
  state: MaintenanceState,
  /** German; `title_en` is English. */
  title: Schema.String,
  title_en: Schema.String,
  message: Schema.String,
  message_en: Schema.String,
  components: Schema.Array(Schema.String),
  starts_at: Schema.String,
  ends_at: Schema.String,
  created_at: Schema.String,
  updated_at: Schema.String,
  cancelled_at: Schema.NullOr(Schema.String)
}).annotate({ identifier: "StoredMaintenance" })

/** Schemas of the requests; the command line uses them too. */
export const NewMaintenance = Schema.Struct({
  /** Default: generated from day and title. */
  id: Schema.optionalKey(EntityId),
  title: Title,
  title_en: Title,
  message: Schema.optionalKey(Note),
  message_en: Schema.optionalKey(Note),
  components: SomeComponentIds,
  starts_at: Time,
  ends_at: Time
})

const params = { id: EntityId }
const manage = "system.manage"

/** Maintenance windows of the database. */
export const adminMaintenance = HttpApiGroup.make("adminMaintenance")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { state: Schema.optionalKey(MaintenanceState), ...page() },
      success: pageOf(MaintenanceView)
    })
      .annotate(Requires, "system.read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Maintenance windows, newest first",
          description: "`state`: planned, active, over or cancelled."
        })
      ),
    HttpApiEndpoint.post("plan", "/", {
      headers: Idempotency.headers,
      payload: NewMaintenance,
      success: MaintenanceView.pipe(HttpApiSchema.status(201)),
      error: IdTaken
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Announce maintenance",
          description:
            "Public at once. Its components are under maintenance from starts_at until ends_at, at most " +
            `${maxWindow} days later; that time counts neither as up nor as down.`
        })
      ),
    HttpApiEndpoint.put("edit", "/:id", {
      params,
      payload: Schema.Struct({
        title: Schema.optionalKey(Title),
        title_en: Schema.optionalKey(Title),
        message: Schema.optionalKey(Note),
        message_en: Schema.optionalKey(Note),
        components: Schema.optionalKey(SomeComponentIds),
        starts_at: Schema.optionalKey(Time),
        ends_at: Schema.optionalKey(Time),
        /** Value as it was read; a later change by somebody else gives 409 `changed_since`. */
        updated_at: Schema.optionalKey(Time)
      }),
      success: MaintenanceView,
      error: [NotFound, ChangedSince, MaintenanceOver]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change a maintenance window",
          description:
            "At least one field. Active windows can be changed; 409 `maintenance_over` once it is over or cancelled."
        })
      ),
    HttpApiEndpoint.delete("cancel", "/:id", {
      params,
      success: HttpApiSchema.NoContent,
      error: [NotFound, MaintenanceOver]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Cancel maintenance",
          description:
            "Active windows can be cancelled; their components are measured again. The window stays in the list. 409 " +
            "`maintenance_over` once it is over or cancelled."
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/admin/maintenance")
  .annotateMerge(OpenApi.annotations({ title: "Maintenance", description: accessNote }))

export const MaintenanceApi = Api.make("status-checker").add(adminMaintenance)
