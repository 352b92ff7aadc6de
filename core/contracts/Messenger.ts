/** Contracts of the messenger channel: messages that other daemons ask it to send, and the chats of users. */
import { Schema } from "effect"
import { define } from "../events/Events.ts"
import * as Jobs from "../jobs/Jobs.ts"

const Chat = Schema.Struct({
  user_id: Schema.Int,
  tenant_id: Schema.Int,
  /** Null when the user has no chat any more. */
  chat_id: Schema.NullOr(Schema.String),
  /** Version of the account after the change. */
  version: Schema.Int
})

/**
 * A user confirmed or removed a chat. Only that user receives the event. A reader keeps the chat with the highest
 * `version` and deletes it with `identity.user.deleted`.
 */
export const MessengerChatChanged = define("identity.messenger.changed", Chat)

/**
 * A short message that contains a secret, such as a sign-in code. It is sent at most once: after `expires_at` it is
 * dropped and not stored. The text is in an encrypted envelope (core/Secrets) with context `messengerCodeContext(id)`.
 */
export const MessengerCode = Jobs.define(
  "messenger.code",
  Schema.Struct({
    /** A fresh UUID. */
    id: Schema.String,
    chat_id: Schema.String,
    envelope: Schema.String,
    /** ISO 8601. */
    expires_at: Schema.String
  })
)

/** Encryption context that binds the envelope to its job. */
export const messengerCodeContext = (id: string): string => `messenger.code/${id}`
