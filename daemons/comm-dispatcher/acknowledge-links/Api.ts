import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiError, HttpApiGroup, OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { codeField, declaration, Unavailable } from "#core/http/Problem.ts"
import { RunState } from "../runs/Exports.ts"

/** 404: the link was changed, has expired, or its alarm was deleted. One answer for all. */
export class AcknowledgeLinkGone extends HttpApiError.Problem<AcknowledgeLinkGone>()(
  "AcknowledgeLinkGone",
  declaration("link_gone", 404, "The link is not valid, or no longer valid"),
  codeField("link_gone")
) {}

/** Longest token. Unit: UTF-16 code units. Reason: twice the length of ours. */
const maxToken = 108

const LinkRequest = Schema.Struct({ token: Schema.String.check(Schema.isMaxLength(maxToken)) }).annotate({
  identifier: "AcknowledgeLinkRequest"
})

/** What a link shows of its alarm: no targets, because their addresses may hold secrets. */
export const LinkedAlarm = Schema.Struct({
  /** First line of the text. */
  title: Schema.String,
  severity: Schema.NullOr(Schema.String),
  state: RunState,
  received_at: Schema.String,
  delivered_count: Schema.Int,
  target_count: Schema.Int,
  acknowledged_at: Schema.NullOr(Schema.String),
  /** Name of the user who acknowledged, else how it was acknowledged; null before. */
  acknowledged_by: Schema.NullOr(Schema.String)
}).annotate({ identifier: "LinkedAlarm" })
export type LinkedAlarm = typeof LinkedAlarm.Type

const error = [AcknowledgeLinkGone, Unavailable]

/** The links in alarm messages. The signed token is the credential. */
const links = HttpApiGroup.make("acknowledgeLinks")
  .add(
    HttpApiEndpoint.post("show", "/show", { payload: LinkRequest, success: LinkedAlarm, error }).annotateMerge(
      OpenApi.annotations({
        summary: "Show the alarm of a link",
        description:
          "The token of a link in an alarm message is the credential. Changes nothing. 404 `link_gone`: the token is " +
          "not signed by this installation, is older than a week, or its alarm was deleted."
      })
    ),
    HttpApiEndpoint.post("acknowledge", "/acknowledge", {
      payload: LinkRequest,
      success: LinkedAlarm,
      error
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Acknowledge the alarm of a link",
        description:
          "Like `POST /api/v1/workflows/runs/{id}/acknowledge`, by the page that the link opens. A repeated " +
          "acknowledgement changes nothing. No GET acknowledges, so a program that follows links does no harm."
      })
    )
  )
  .prefix("/api/v1/alarm-links")

export const AcknowledgeLinksApi = Api.make("acknowledge-links").add(links)
