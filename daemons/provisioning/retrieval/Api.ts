import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { UsersOnly } from "#core/auth/Permissions.ts"
import * as Api from "#core/http/Api.ts"
import { plainText } from "#core/http/Paging.ts"
import { NotFound, Unavailable } from "#core/http/Problem.ts"
import { inOfferedLanguage } from "#core/words/InLanguage.ts"
import { BookedView } from "../bookings/Exports.ts"
import { LinkGone, TooManyRetrievals } from "../vocabulary/Exports.ts"

/** One service of the answer. `config` is absent unless the service is booked. */
export const AnswerService = Schema.Struct({
  slug: Schema.String,
  feature: Schema.String,
  /** In the language of the request. */
  name: Schema.String,
  description: Schema.String,
  icon: Schema.String,
  booked: Schema.Boolean,
  is_base: Schema.Boolean,
  config: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json))
}).annotate({ identifier: "ProvisionedService" })

/**
 * What a device receives for its link: its services with their settings and credentials. Source: interface document 2
 * §2.4.
 */
export const ProvisioningAnswer = Schema.Struct({
  /** Base address of the tenant, without a trailing slash. */
  server_url: Schema.String,
  plan: Schema.String,
  /** Features of the booked services. */
  features: Schema.Array(Schema.String),
  user: Schema.Struct({ id: Schema.Int, email: Schema.String, display_name: Schema.String, locale: Schema.String }),
  services: Schema.Array(AnswerService),
  booked: BookedView
}).annotate({ identifier: "ProvisioningAnswer" })
export type ProvisioningAnswer = typeof ProvisioningAnswer.Type

const publicQuery = {
  lang: Schema.optionalKey(
    Schema.String.check(Schema.isMaxLength(35), Schema.isPattern(/^[A-Za-z0-9_-]*$/)).annotate({
      description: "Code of a language, such as `de` or `en`; else the user's language"
    })
  ),
  device: Schema.optionalKey(
    plainText(200).annotate({ description: "Name of the device for lists; else from the User-Agent header" })
  )
}

const params = { token: Schema.String.check(Schema.isMaxLength(200)) }
const error = [LinkGone, TooManyRetrievals, Unavailable]

/** The public address of a link. */
export const retrieval = HttpApiGroup.make("provisioningRetrieval").add(
  HttpApiEndpoint.get("retrieve", "/provision/:token", {
    params,
    query: publicQuery,
    success: ProvisioningAnswer,
    error
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Set up a device by its link",
      description:
        "The token is the credential, and works once. A request that accepts `text/html` gets a page with one button " +
        "and uses nothing up; neither do HEAD and prefetching requests. Every other GET sets the device up. 404 " +
        "`link_gone`: used, expired, revoked or unknown. 503: a daemon that issues credentials is away; the token " +
        "stays unused. `login_token` is an access token for 15 minutes."
    })
  ),
  HttpApiEndpoint.post("retrieveByButton", "/provision/:token", {
    params,
    query: publicQuery,
    success: ProvisioningAnswer,
    error
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Set up a device: the page's button",
      description: "As GET, whatever the request accepts. A request that accepts `text/html` gets a page. No body."
    })
  )
)

/** The services of the calling user. */
export const myServices = HttpApiGroup.make("provisioningServices")
  .add(
    HttpApiEndpoint.get("mine", "/my-services", {
      query: inOfferedLanguage,
      success: ProvisioningAnswer,
      error: NotFound
    })
      .annotate(UsersOnly, true)
      .annotateMerge(
        OpenApi.annotations({
          summary: "The caller's services, without credentials",
          description: "As the answer of the link, for a client that looks for changes. Uses no token up.",
          override: { security: [{ user: [] }] }
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/provisioning")

export const RetrievalApi = Api.make("provisioning-retrieval").add(retrieval).add(myServices)
