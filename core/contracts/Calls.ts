/** Telephone calls as those who watch a screen hear of them. Source: interface document 1 §6. */
import { Schema } from "effect"
import { define } from "../events/Events.ts"

/** A call rings. The customer is found by the last ten digits of the caller's number. */
export const CallIncoming = define(
  "call.incoming",
  Schema.Struct({
    /** One call, for those who hear of it twice. */
    call_id: Schema.String,
    /** As the line shows it: E.164, a national number, or `anonymous`. */
    caller_id: Schema.String,
    /** The number of ours that was dialled. */
    did_number: Schema.String,
    /** Null: nobody we know. */
    customer: Schema.NullOr(
      Schema.Struct({
        name: Schema.String,
        /** Customer number. */
        number: Schema.String,
        /** BCP 47: the language to announce them in. */
        locale: Schema.String
      })
    ),
    /** ISO 8601. */
    at: Schema.String
  })
)

/** A call that rang was taken, by the extension named, if it is known. */
export const CallAnswered = define(
  "call.answered",
  Schema.Struct({ call_id: Schema.String, extension: Schema.NullOr(Schema.String), at: Schema.String })
)

/** A call is over, taken or not. */
export const CallEnded = define(
  "call.ended",
  Schema.Struct({
    call_id: Schema.String,
    answered: Schema.Boolean,
    /** Why, as the switch says: `NORMAL_CLEARING`, `NO_ANSWER`, `ORIGINATOR_CANCEL`. */
    cause: Schema.String,
    /** From answer to end. Unit: seconds. */
    duration: Schema.Int,
    at: Schema.String
  })
)
