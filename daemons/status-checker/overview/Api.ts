import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import { Id, page, pageOf } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { componentStatuses } from "../status/Vocabulary.ts"
import { accessNote } from "../status/AdminSchemas.ts"

export const SubscriberState = Schema.Literals(["pending", "confirmed"])

export const SubscriberView = Schema.Struct({
  id: Schema.Int,
  email: Schema.String,
  /** Code of the language of the mails. */
  lang: Schema.String,
  /** Null means all. */
  components: Schema.NullOr(Schema.Array(Schema.String)),
  status: SubscriberState,
  created_at: Schema.String,
  confirmed_at: Schema.NullOr(Schema.String)
}).annotate({ identifier: "Subscriber" })

const ComponentStatus = Schema.Literals(componentStatuses)

export const CheckView = Schema.Struct({
  component_id: Schema.String,
  name: Schema.String,
  name_en: Schema.String,
  /** Null, like the next two, when the component was never measured. */
  status: Schema.NullOr(ComponentStatus),
  since: Schema.NullOr(Schema.String),
  checked_at: Schema.NullOr(Schema.String),
  /** Status that the last checks found instead, and their number; not shown until confirmed. */
  seen: Schema.NullOr(ComponentStatus),
  streak: Schema.Int,
  /** Results of the last check. `outcome`: up, degraded, down, or unknown when the probe failed on this host. */
  results: Schema.Array(Schema.Struct({ kind: Schema.String, outcome: Schema.String, detail: Schema.String }))
}).annotate({ identifier: "Check" })

export const MailState = Schema.Literals(["pending", "attempting", "delivered", "failed"])

export const MailView = Schema.Struct({
  id: Schema.Int,
  subscriber_id: Schema.Int,
  email: Schema.String,
  kind: Schema.Literals(["confirm", "notice"]),
  message_id: Schema.String,
  state: MailState,
  attempts: Schema.Int,
  /** Time of the next attempt; meaningless for delivered and failed mails. */
  next_at: Schema.String,
  last_error: Schema.NullOr(Schema.String),
  created_at: Schema.String,
  done_at: Schema.NullOr(Schema.String)
}).annotate({ identifier: "StatusMail" })

/** Information for operators that the public page does not show. */
export const admin = HttpApiGroup.make("admin")
  .add(
    HttpApiEndpoint.get("subscribers", "/subscribers", {
      query: { status: Schema.optionalKey(SubscriberState), ...page() },
      success: pageOf(SubscriberView)
    })
      .annotate(Requires, "system.read")
      .annotateMerge(
        OpenApi.annotations({ summary: "Subscribers, newest first", description: "`status`: pending or confirmed." })
      ),
    HttpApiEndpoint.delete("removeSubscriber", "/subscribers/:id", {
      params: { id: Id },
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(Requires, "system.manage")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Delete a subscriber",
          description: "Deletes all mails to the subscriber too. The person may subscribe again."
        })
      ),
    HttpApiEndpoint.get("checks", "/checks", { success: Schema.Struct({ items: Schema.Array(CheckView) }) })
      .annotate(Requires, "system.read")
      .annotateMerge(
        OpenApi.annotations({ summary: "Last check of each component", description: "In the order of SERVICES_FILE." })
      ),
    HttpApiEndpoint.post("checkNow", "/checks", {
      success: Schema.Struct({ requested_at: Schema.String }).pipe(HttpApiSchema.status(202))
    })
      .annotate(Requires, "system.manage")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Check all components now",
          description:
            "Answers at once. A check is done when its `checked_at` is later than `requested_at`. Several requests " +
            "within two seconds are one round."
        })
      ),
    HttpApiEndpoint.get("mails", "/mails", {
      query: { state: Schema.optionalKey(MailState), ...page(Number.MAX_SAFE_INTEGER) },
      success: pageOf(MailView)
    })
      .annotate(Requires, "system.read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Undelivered mails to subscribers, newest first",
          description: "`state`: only mails in this state, including `delivered`."
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/admin")
  .annotateMerge(OpenApi.annotations({ title: "Operation", description: accessNote }))

export const OverviewApi = Api.make("status-checker").add(admin)
