/** Second path of this daemon, used to report unreadable mailboxes to operators. One instance for all features. */
import { Effect, Layer } from "effect"
import { alarmMinute } from "#core/config/AlarmSettings.ts"
import { settings } from "#core/config/Environment.ts"
import * as SecondPath from "#core/second-path/SecondPath.ts"

export const secondPath = Layer.unwrap(
  Effect.map(settings({ minute: alarmMinute }), ({ minute }) => SecondPath.layer({ daemon: "alarm-bridge", minute }))
)
