/**
 * Messages that other daemons ask the messenger channel to send.
 */
import { Schema } from "effect"
import * as Jobs from "../Jobs.ts"

/**
 * A short message with a secret in it, such as a sign-in code. Sent once, soon or not at all: after `expires_at` it is
 * dropped, and nothing of it is kept. The text lies in an envelope (core/Secrets) of context `messengerCodeContext(id)`.
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
