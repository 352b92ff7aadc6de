/** Requests for support. Source: interface document 1 §6. */
import { Schema } from "effect"
import { define } from "../events/Events.ts"

/** Somebody asks for help. */
export const SupportSessionCreated = define(
  "support.session.created",
  Schema.Struct({
    /** What the customer reads out to be found. */
    session_code: Schema.String,
    /** The way they came: `web`, `phone`, `messenger`. */
    channel: Schema.String
  })
)
