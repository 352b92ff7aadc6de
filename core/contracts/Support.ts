/** Requests for support. Source: interface document 1 §6. */
import { Schema } from "effect"
import { define } from "../events/Events.ts"

/** A customer requested support. */
export const SupportSessionCreated = define(
  "support.session.created",
  Schema.Struct({
    /** Code that the customer reads out to be identified. */
    session_code: Schema.String,
    /** Contact channel: `web`, `phone`, `messenger`. */
    channel: Schema.String
  })
)
