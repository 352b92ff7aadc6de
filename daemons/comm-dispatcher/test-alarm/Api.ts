import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { ProviderOnly, Requires } from "#core/auth/Permissions.ts"
import { maxBodyLength } from "#core/contracts/Alarm.ts"
import * as Api from "#core/http/Api.ts"

/** Maximum number of targets of a test. Reason: a test shows that the channels work; it needs no directory. */
const maxTargets = 10

/** Longest target. Unit: UTF-16 code units. Reason: that of an alarm. */
const maxTarget = 2_000

/** Channels in the syntax of a subject. */
export const testChannels = ["WEBHOOK", "MESSENGER", "MESSENGER_VOICE", "CALL"] as const

export const TestAlarm = Schema.Struct({
  /** Targets besides this browser. */
  targets: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        channel: Schema.Literals(testChannels),
        // A semicolon would begin another target; an address writes it as %3B.
        target: Schema.String.check(
          Schema.isMinLength(1),
          Schema.isMaxLength(maxTarget),
          Schema.isPattern(/^[^;\r\n]*$/)
        )
      })
    ).check(Schema.isMaxLength(maxTargets))
  ),
  /** Further tries of targets that fail, and the pause before them. */
  retries: Schema.optionalKey(
    Schema.Struct({
      times: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10 })),
      /** Unit: minutes. */
      every: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 60 }))
    })
  ),
  text: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(maxBodyLength)))
})

export const testAlarm = HttpApiGroup.make("test-alarm")
  .add(
    HttpApiEndpoint.post("send", "/", {
      payload: TestAlarm,
      success: Schema.Struct({ run_id: Schema.String, subject: Schema.String }).pipe(HttpApiSchema.status(202))
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Send a test alarm",
        description:
          "A real alarm of severity INFO, whose sender is not checked. One of its targets is a receiver of this " +
          "daemon, so it needs no configuration; the caller gets a notification when it arrives there. It goes to " +
          "`targets` too. `GET /api/v1/workflows/runs/{run_id}` shows its deliveries."
      })
    )
  )
  .middleware(Authentication)
  .prefix("/api/v1/comm/test-alarm")
  .annotate(Requires, "settings.manage")
  .annotate(ProviderOnly, true)

export const TestAlarmApi = Api.make("test-alarm").add(testAlarm)
