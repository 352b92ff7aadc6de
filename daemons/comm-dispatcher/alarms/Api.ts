import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import type { Schema } from "effect"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires, UsersOnly } from "#core/auth/Permissions.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import * as Api from "#core/http/Api.ts"
import { NotConfigured } from "#core/http/Problem.ts"
import { CommHealthResponse } from "../channels/Exports.ts"
import { CallResponse, DispatchResponse, HeartbeatResponse } from "./CommAnswers.ts"
import { CallLimitReached } from "./limits/Errors.ts"
import { CallRequest, MessengerRequest, MessengerVoiceRequest, NotifyRequest } from "./CommRequests.ts"

const taken =
  "The response follows when the request is in the ledger, before anything is sent; `links.run` shows the outcome. "

/** An endpoint whose request starts a run. */
const send = <
  const Name extends string,
  const Path extends `/${string}`,
  Payload extends Schema.Codec<unknown, unknown>,
  Answer extends Schema.Top
>(
  name: Name,
  path: Path,
  payload: Payload,
  answer: Answer,
  about: { readonly summary: string; readonly description: string }
) =>
  HttpApiEndpoint.post(name, path, {
    headers: Idempotency.headers,
    payload,
    success: answer.pipe(HttpApiSchema.status(202)),
    error: CallLimitReached
  }).annotateMerge(OpenApi.annotations(about))

const urgent = "Users need the permission `alarms.urgent` for ALERT and CRITICAL, else 403."
const abroad = "Calls of users to numbers outside their country need `calls.any`, else 403."

/** Direct requests to the channels, and their health. */
const comm = HttpApiGroup.make("comm")
  .add(
    send("call", "/call", CallRequest, CallResponse, {
      summary: "Call and speak",
      description:
        "`result` tells how the call started, after at most 10 seconds: dialled, waiting for other calls, or failed " +
        "with the reason. The text is spoken whole, up to 2,500 characters. One alarm call is active at a time; " +
        `others wait at most 90 seconds, and then for a free call of the gateway. ${urgent} ${abroad}`
    }),
    send("messenger", "/messenger", MessengerRequest, DispatchResponse, {
      summary: "Send a message",
      description: `${taken}\`severity\` is written before the text, unless it is empty. ${urgent}`
    }),
    send("messengerVoice", "/messenger/voice", MessengerVoiceRequest, DispatchResponse, {
      summary: "Send a voice message",
      description: `${taken}The text is sent when the receiver accepts no voice messages. ${urgent}`
    }),
    send("notify", "/notify", NotifyRequest, DispatchResponse, {
      summary: "Send to several targets",
      description:
        `${taken}All targets start at once. The \`fallback\` targets of a target are tried in order, each after the ` +
        "previous one has failed for good. `sms` is a placeholder: such a target ends `failed` as unsupported. " +
        `${urgent} ${abroad}`
    }),
    HttpApiEndpoint.get("health", "/health", { success: CommHealthResponse }).annotateMerge(
      OpenApi.annotations({
        summary: "Health of the channels",
        description:
          "Probes cache, speech gateway, telephony switch and messenger bot, each for at most 3 seconds; results " +
          "are cached for 5 seconds. A component without configuration is `unconfigured` and does not degrade the " +
          "health. The status is 200 even when degraded."
      })
    ),
    HttpApiEndpoint.post("heartbeat", "/heartbeat", { success: HeartbeatResponse, error: NotConfigured })
      .annotate(UsersOnly, true)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Send a test message and report the health of the channels",
          description:
            "The message goes to the chat of `SIGNALBOX_HEARTBEAT_CHAT_ID`. For signed-in users only: 403 for a " +
            "service token.",
          override: { security: [{ user: [] }] }
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/comm")
  .annotate(Requires, "workflows.manage")

export const AlarmsApi = Api.make("alarms").add(comm)
