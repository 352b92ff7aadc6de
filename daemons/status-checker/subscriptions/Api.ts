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

/** Most chosen components. Unit: components. Source: most components of SERVICES_FILE. */
const maxChosen = 500

const Typed = Schema.String.check(Schema.isMaxLength(maxTyped))
const Chosen = Schema.Array(Schema.String.check(Schema.isMaxLength(200))).check(Schema.isMaxLength(maxChosen))

const lang = Schema.optionalKey(
  Schema.String.check(Schema.isMaxLength(35)).annotate({
    description: "`de` or `en`; else Accept-Language, else English"
  })
)

export const SubscribeRequest = Schema.Struct({
  email: Typed,
  lang: Schema.optionalKey(
    Schema.Literals(["de", "en"]).annotate({
      description: "Language of the mails; unset: by the query, then Accept-Language, then English"
    })
  ),
  components: Schema.optionalKey(Schema.NullOr(Chosen).annotate({ description: "Ids; unset, null or none: all" }))
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

const said = (summary: string, description?: string) =>
  OpenApi.annotations({ summary, ...(description === undefined ? {} : { description }) })

/** Endpoints to subscribe, confirm and unsubscribe. */
export const subscriptions = HttpApiGroup.make("subscriptions").add(
  HttpApiEndpoint.post("subscribe", "/api/v1/subscribe", {
    query: { lang },
    payload: SubscribeRequest,
    success: Subscribed.pipe(HttpApiSchema.status(202)),
    error: [InvalidRequest, TooManySignUps, MailNotConfigured, Unavailable]
  }).annotateMerge(
    said(
      "Subscribe to mails",
      "Sends a mail with a link that holds for 48 hours; nothing holds before it is confirmed there. The answer is the same whether an address is known or not, and an address that " +
        "has had several such mails in a day gets no more. Who subscribes again changes language and components. 503 `not_configured`: this page sends no mail."
    )
  ),
  HttpApiEndpoint.get("subscribePage", "/subscribe", { query: { lang }, success: html }).annotateMerge(
    said("The form to subscribe")
  ),
  HttpApiEndpoint.post("subscribeForm", "/subscribe", { query: { lang }, payload: form, success: html }).annotateMerge(
    said("Subscribe, as a form")
  ),
  HttpApiEndpoint.get("confirmPage", "/subscribe/confirm", { query: linked, success: html }).annotateMerge(
    said(
      "Where the link of a confirmation mail leads",
      "Changes nothing but by its button: programs that look through mail open links, too."
    )
  ),
  HttpApiEndpoint.post("confirm", "/subscribe/confirm", {
    query: linked,
    success: html,
    error: Unavailable
  }).annotateMerge(said("Confirm", "A second time changes nothing. 410: too old, or never was.")),
  HttpApiEndpoint.get("unsubscribePage", "/unsubscribe", { query: linked, success: html }).annotateMerge(
    said("Where the link of every mail leads")
  ),
  HttpApiEndpoint.post("unsubscribe", "/unsubscribe", {
    query: linked,
    success: html,
    error: Unavailable
  }).annotateMerge(
    said(
      "Unsubscribe",
      "Deletes the address. By the button, and by one click in a mail program (RFC 8058): the body is not looked at, no cookie is needed; the token is what counts."
    )
  )
)

export const SubscriptionsApi = Api.make("status-checker").add(subscriptions)
