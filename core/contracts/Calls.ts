/** Telephone call events for user interfaces. Source: interface document 1 §6. */
import { Schema } from "effect"
import { define } from "../events/Events.ts"

const Customer = Schema.Struct({
  name: Schema.String,
  /** Customer number. */
  number: Schema.String,
  /** BCP 47: language for announcing the customer. */
  locale: Schema.String
})

/** A call is ringing. The customer is found by the last ten digits of the caller's number. */
export const CallIncoming = define(
  "call.incoming",
  Schema.Struct({
    /** Identifies the call, so that a reader recognises a repeated event. */
    call_id: Schema.String,
    /** Caller number as signalled: E.164, a national number, or `anonymous`. */
    caller_id: Schema.String,
    /** The dialled number. */
    did_number: Schema.String,
    /** Null for an unknown caller. The oldest when several customers have the number. */
    customer: Schema.NullOr(Customer),
    /** The other customers with this number, oldest first. Absent: none. */
    more_customers: Schema.optionalKey(Schema.Array(Customer)),
    /** ISO 8601. */
    at: Schema.String
  })
)

/** A ringing call was answered. `extension` is null when it is unknown. */
export const CallAnswered = define(
  "call.answered",
  Schema.Struct({ call_id: Schema.String, extension: Schema.NullOr(Schema.String), at: Schema.String })
)

/** A call ended, answered or not. */
export const CallEnded = define(
  "call.ended",
  Schema.Struct({
    call_id: Schema.String,
    answered: Schema.Boolean,
    /** Hangup cause of the switch: `NORMAL_CLEARING`, `NO_ANSWER`, `ORIGINATOR_CANCEL`. */
    cause: Schema.String,
    /** Time from answer to end. Unit: seconds. */
    duration: Schema.Int,
    at: Schema.String
  })
)
