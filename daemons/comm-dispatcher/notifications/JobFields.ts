/** Fields that all jobs of outgoing notifications share. */
import { Schema } from "effect"
import { NotificationContent } from "#core/contracts/Notifications.ts"

/** Fields beside `content`, the first or only notification. */
export const togetherFields = {
  /** A random UUID that identifies the message. */
  id: Schema.String,
  user_id: Schema.Int,
  /** Further notifications in the same message. */
  more: Schema.optionalKey(Schema.Array(NotificationContent)),
  /** Number of notifications beyond those. */
  omitted: Schema.optionalKey(Schema.Int),
  /** Time at which the message is dropped, as ISO 8601. */
  expires_at: Schema.String,
  /** Number of failed tries. */
  tries: Schema.Int
}
