import { OfferedLanguage } from "#core/words/InLanguage.ts"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { InvalidRequest, Unavailable } from "#core/http/Problem.ts"
import { MailNotConfigured, TooManySignUps } from "./Errors.ts"

/**
 * Longest submitted text. Unit: UTF-16 units. Reason: the longest address, with surrounding spaces and combining
 * characters.
 */
const maxTyped = 1_024

/** Maximum number of components that a subscription names. Reason: SERVICES_FILE has no more. */
const maxChosen = 500

const Typed = Schema.String.check(Schema.isMaxLength(maxTyped))
const Chosen = Schema.Array(Schema.String.check(Schema.isMaxLength(200))).check(Schema.isMaxLength(maxChosen))

const lang = Schema.optionalKey(
  Schema.String.check(Schema.isMaxLength(35)).annotate({
    description: "Code of an offered language, such as `de` or `en`; else Accept-Language, else English"
  })
)

export const SubscribeRequest = Schema.Struct({
  email: Typed,
  lang: Schema.optionalKey(
    OfferedLanguage.annotate({
      description: "Language of the mails; unset: by the query, then Accept-Language, then English"
    })
  ),
  components: Schema.optionalKey(
    Schema.NullOr(Chosen).annotate({ description: "Component ids; unset, null or empty: all" })
  )
}).annotate({ identifier: "SubscribeRequest" })

/** Fields of the form. All are optional, because the page shows what is wrong. */
const form = Schema.Struct({
  email: Schema.optionalKey(Typed),
  lang: Schema.optionalKey(Typed),
  components: Schema.optionalKey(Chosen)
}).pipe(HttpApiSchema.asFormUrlEncoded())

export const Subscribed = Schema.Struct({
  status: Schema.Literal("confirmation_sent"),
  message: Schema.String
}).annotate({ identifier: "Subscribed" })

const html = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/html" }))
const linked = { token: Schema.optionalKey(Typed), lang }

const documented = (summary: string, description?: string) =>
  OpenApi.annotations({ summary, ...(description === undefined ? {} : { description }) })

/** Endpoints to subscribe, confirm and unsubscribe. */
export const subscriptions = HttpApiGroup.make("subscriptions").add(
  HttpApiEndpoint.post("subscribe", "/api/v1/subscribe", {
    query: { lang },
    payload: SubscribeRequest,
    success: Subscribed.pipe(HttpApiSchema.status(202)),
    error: [InvalidRequest, TooManySignUps, MailNotConfigured, Unavailable]
  }).annotateMerge(
    documented(
      "Subscribe to mails",
      "Sends a mail with a link that is valid for 48 hours; the subscription takes effect with its confirmation. " +
        "Known " +
        "and unknown addresses get the same answer. After several mails in a day an address gets no more. " +
        "Subscribing " +
        "again changes language and components. 503 `not_configured`: this page sends no mail."
    )
  ),
  HttpApiEndpoint.get("subscribePage", "/subscribe", { query: { lang }, success: html }).annotateMerge(
    documented("Subscription form")
  ),
  HttpApiEndpoint.post("subscribeForm", "/subscribe", { query: { lang }, payload: form, success: html }).annotateMerge(
    documented("Submit the subscription form")
  ),
  HttpApiEndpoint.get("confirmPage", "/subscribe/confirm", { query: linked, success: html }).annotateMerge(
    documented(
      "Target of the link in a confirmation mail",
      "Only its button changes something, because mail scanners open links too."
    )
  ),
  HttpApiEndpoint.post("confirm", "/subscribe/confirm", {
    query: linked,
    success: html,
    error: Unavailable
  }).annotateMerge(documented("Confirm", "A repeated call changes nothing. 410: expired or unknown.")),
  HttpApiEndpoint.get("unsubscribePage", "/unsubscribe", { query: linked, success: html }).annotateMerge(
    documented("Target of the unsubscribe link in every mail")
  ),
  HttpApiEndpoint.post("unsubscribe", "/unsubscribe", {
    query: linked,
    success: html,
    error: Unavailable
  }).annotateMerge(
    documented(
      "Unsubscribe",
      "Deletes the address. Called by the button and by one click in a mail program (RFC 8058). Only the token " +
        "counts: " +
        "the body is ignored, and no cookie is needed."
    )
  )
)

export const SubscriptionsApi = Api.make("status-checker").add(subscriptions)
