/** What the jobs share that tell somebody outside the application. */
import { Schema } from "effect"
import { NotificationContent } from "#core/contracts/Notifications.ts"

/** Beside `content`, the first or only one. */
export const togetherFields = {
  /** A fresh UUID; names the message. */
  id: Schema.String,
  user_id: Schema.Int,
  /** Others that go with it. */
  more: Schema.optionalKey(Schema.Array(NotificationContent)),
  /** How many there were beyond those. */
  omitted: Schema.optionalKey(Schema.Int),
  /** ISO 8601. */
  expires_at: Schema.String,
  /** How often the other side did not take it. */
  tries: Schema.Int
}
