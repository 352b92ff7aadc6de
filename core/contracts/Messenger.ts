/**
 * Messages that other daemons ask the messenger channel to send, and which chat is whose.
 */
import { Schema } from "effect"
import { define } from "../events/Events.ts"
import * as Jobs from "../jobs/Jobs.ts"

const Chat = Schema.Struct({
  user_id: Schema.Int,
  tenant_id: Schema.Int,
  /** Null: none any more. */
  chat_id: Schema.NullOr(Schema.String),
  /** The account's, after the change. */
  version: Schema.Int
})

/**
 * A user confirmed a chat as theirs, or gave it up. For that user alone: a chat is nobody else's business. Whoever
 * keeps it keeps the newest by `version`, and forgets it with `identity.user.deleted`.
 */
export const MessengerChatChanged = define("identity.messenger.changed", Chat)
/**
 * Nothing happened: the chat that is, said again for readers who came after the event of it had gone. For daemons only.
 */
export const MessengerChatTold = define("identity.messenger.told", Chat)

/**
 * A short message with a secret in it, such as a sign-in code. Sent once, soon or not at all: after `expires_at` it is
 * dropped, and nothing of it is kept. The text lies in an envelope (core/Secrets) of context
 * `messengerCodeContext(id)`.
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

/** What binds the envelope to its job. */
export const messengerCodeContext = (id: string): string => `messenger.code/${id}`
