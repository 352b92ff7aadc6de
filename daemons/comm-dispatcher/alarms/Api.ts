import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import type { Schema } from "effect"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires, UsersOnly } from "#core/auth/Permissions.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import * as Api from "#core/http/Api.ts"
import { NotConfigured } from "#core/http/Problem.ts"
import { CommHealthResponse } from "../channels/Exports.ts"
import { DispatchResponse, HeartbeatResponse } from "./CommAnswers.ts"
import { CallRequest, MessengerRequest, MessengerVoiceRequest, NotifyRequest } from "./CommRequests.ts"

const taken = "Answered when the request stands in the ledger, before anything is sent: `links.run` tells how it ends. "

/** An endpoint whose request starts a run. */
const send = <
  const Name extends string,
  const Path extends `/${string}`,
  Payload extends Schema.Codec<unknown, unknown>
>(
  name: Name,
  path: Path,
  payload: Payload,
  about: { readonly summary: string; readonly description: string }
) =>
  HttpApiEndpoint.post(name, path, {
    headers: Idempotency.headers,
    payload,
    success: DispatchResponse.pipe(HttpApiSchema.status(202))
  }).annotateMerge(OpenApi.annotations(about))

/** Direct requests to the channels, and their health. */
const comm = HttpApiGroup.make("comm")
  .add(
    send("call", "/call", CallRequest, {
      summary: "Call and speak",
      description:
        `${taken}One active alarm call at a time; others wait at most 90 seconds. ` + "Key 1 acknowledges the run."
    }),
    send("messenger", "/messenger", MessengerRequest, {
      summary: "Send a message",
      description: `${taken}\`severity\` is written before the text; empty: nothing is.`
    }),
    send("messengerVoice", "/messenger/voice", MessengerVoiceRequest, {
      summary: "Send a voice message",
      description: `${taken}Where the receiver takes no voice messages the text is sent.`
    }),
    send("notify", "/notify", NotifyRequest, {
      summary: "Reach several targets",
      description:
        `${taken}All targets at once. \`fallback\` of a target is tried in its order, each when the one before it ` +
        `has failed for ` +
        "good. `sms` is a placeholder: such a target ends `failed` as unsupported."
    }),
    HttpApiEndpoint.get("health", "/health", { success: CommHealthResponse }).annotateMerge(
      OpenApi.annotations({
        summary: "Ask the channels how they are",
        description:
          "Asks cache, speech gateway, telephony switch and messenger bot, each 3 seconds at most; an answer is " +
          "kept for 5 " +
          "seconds. What is not configured says `unconfigured` and degrades nothing. 200 also when degraded."
      })
    ),
    HttpApiEndpoint.post("heartbeat", "/heartbeat", { success: HeartbeatResponse, error: NotConfigured })
      .annotate(UsersOnly, true)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Send a test message, then ask the channels how they are",
          description:
            "To the chat of `SIGNALBOX_HEARTBEAT_CHAT_ID`. For signed-in users only: a service token is answered 403.",
          override: { security: [{ user: [] }] }
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/comm")
  .annotate(Requires, "workflows.manage")

export const AlarmsApi = Api.make("alarms").add(comm)
