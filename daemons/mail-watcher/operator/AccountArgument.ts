import { Argument } from "effect/cli"

/**
 * The mail account that a command is about: an own mailbox, or one at a foreign server. Several users may have added
 * the same foreign address; then only the id names one.
 */
export const account = Argument.String("account").pipe(
  Argument.withDescription("Address or id of the mail account, such as anna@example.org")
)
