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
import { AlreadyPublished, AlreadyResolved, NotPublished } from "./Errors.ts"
import { ComponentIds, Message, Severity, Status, EntityId, Title, accessNote } from "../status/AdminSchemas.ts"

export const IncidentState = Schema.Literals(["draft", "open", "resolved"])

export const IncidentView = Schema.Struct({
  id: Schema.String,
  state: IncidentState,
  /** German; `title_en` is English. */
  title: Schema.String,
  title_en: Schema.String,
  status: Status,
  severity: Severity,
  components: Schema.Array(Schema.String),
  /** Component that stayed down, for a proposed draft that nobody has edited. */
  proposed_for: Schema.NullOr(Schema.String),
  /** Start of the incident. */
  created_at: Schema.String,
  resolved_at: Schema.NullOr(Schema.String),
  /** Null for a draft. */
  published_at: Schema.NullOr(Schema.String),
  updated_at: Schema.String,
  /** Oldest first. */
  updates: Schema.Array(
    Schema.Struct({ status: Status, message: Schema.String, message_en: Schema.String, timestamp: Schema.String })
  )
}).annotate({ identifier: "StoredIncident" })

const said = { message: Message, message_en: Message }

/** Schemas of the requests; the command line uses them too. */
export const NewIncident = Schema.Struct({
  /**
   * Default: generated from day and title, such as `2026-01-31-webmail`. An id of INCIDENTS_FILE is merged with that
   * incident, with the texts of the file.
   */
  id: Schema.optionalKey(EntityId),
  title: Title,
  title_en: Title,
  severity: Severity,
  /** Default: investigating. */
  status: Schema.optionalKey(Status),
  components: ComponentIds,
  ...said,
  /** Start of the incident. Default: now. */
  created_at: Schema.optionalKey(Time),
  /** Publishes the incident at once. */
  publish: Schema.optionalKey(Schema.Boolean)
})

export const IncidentEdit = Schema.Struct({
  title: Schema.optionalKey(Title),
  title_en: Schema.optionalKey(Title),
  severity: Schema.optionalKey(Severity),
  components: Schema.optionalKey(ComponentIds),
  message: Schema.optionalKey(Message),
  message_en: Schema.optionalKey(Message),
  /** Value as it was read; a later change by somebody else gives 409 `changed_since`. */
  updated_at: Schema.optionalKey(Time)
})

export const IncidentUpdate = Schema.Struct({ status: Status, ...said })

export const IncidentEnd = Schema.Struct({
  message: Schema.optionalKey(Message),
  message_en: Schema.optionalKey(Message)
})

const params = { id: EntityId }
const manage = "system.manage"

/** Incidents of the database. Those of INCIDENTS_FILE are changed in the file. */
export const adminIncidents = HttpApiGroup.make("adminIncidents")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { state: Schema.optionalKey(IncidentState), ...page() },
      success: pageOf(IncidentView)
    })
      .annotate(Requires, "system.read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Incidents of the database, including drafts, newest first",
          description: "`state`: draft, open or resolved. Does not list incidents of INCIDENTS_FILE."
        })
      ),
    HttpApiEndpoint.post("create", "/", {
      headers: Idempotency.headers,
      payload: NewIncident,
      success: IncidentView.pipe(HttpApiSchema.status(201)),
      error: IdTaken
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Draft an incident",
          description:
            "Drafts are not public. `message` is the text of its first update. 409 `id_taken`: the id exists."
        })
      ),
    HttpApiEndpoint.get("show", "/:id", { params, success: IncidentView, error: NotFound })
      .annotate(Requires, "system.read")
      .annotateMerge(OpenApi.annotations({ summary: "One incident of the database" })),
    HttpApiEndpoint.put("edit", "/:id", {
      params,
      payload: IncidentEdit,
      success: IncidentView,
      error: [NotFound, ChangedSince]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Edit the texts of an incident",
          description:
            "At least one field. `message` and `message_en` replace those of the newest update, whose timestamp " +
            "stays, so " +
            "no new notice is sent. Updates change the status. An edited proposal stays when the component recovers."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      success: HttpApiSchema.NoContent,
      error: [NotFound, AlreadyPublished]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Delete a draft",
          description:
            "No draft is proposed again for its components until they were up. Published incidents cannot be " +
            "deleted: 409 " +
            "`already_published`."
        })
      ),
    HttpApiEndpoint.post("update", "/:id/updates", {
      params,
      headers: Idempotency.headers,
      payload: IncidentUpdate,
      success: IncidentView.pipe(HttpApiSchema.status(201)),
      error: [NotFound, NotPublished]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Add an update to an incident",
          description:
            "Notifies subscribers. Any status may follow any other; `resolved` ends the incident, and another " +
            "status opens " +
            "it again. 409 `not_published` for a draft."
        })
      ),
    HttpApiEndpoint.post("publish", "/:id/publish", {
      params,
      headers: Idempotency.headers,
      success: IncidentView,
      error: [NotFound, AlreadyPublished]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Publish a draft",
          description: "Makes it public and notifies subscribers. Its update gets the current time; `created_at` stays."
        })
      ),
    HttpApiEndpoint.post("resolve", "/:id/resolve", {
      params,
      headers: Idempotency.headers,
      payload: IncidentEnd,
      success: IncidentView.pipe(HttpApiSchema.status(201)),
      error: [NotFound, NotPublished, AlreadyResolved]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Resolve an incident",
          description: "Adds an update; `message` has a default. 409 `already_resolved` when it is resolved."
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/admin/incidents")
  .annotateMerge(OpenApi.annotations({ title: "Incidents", description: accessNote }))

export const IncidentsApi = Api.make("status-checker").add(adminIncidents)
