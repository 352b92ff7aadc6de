import { Schema } from "effect"

/** A change by an administrator or operator was refused; `reason` is the key of the sentence in `Words.ts`. */
export class ChangeRefused extends Schema.TaggedError<ChangeRefused>()("ChangeRefused", {
  reason: Schema.Literals(["lastAdmin", "routeTaken", "invalidRoute", "stale"])
}) {}

/** The user, session or route does not exist any more. */
export const gone = new ChangeRefused({ reason: "stale" })
