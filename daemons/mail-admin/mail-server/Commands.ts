/** `signalbox mail-server`: sets up what Dovecot and Postfix need to read the database. */
import { Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { json } from "#core/cli/Output.ts"

const operator = () => import("./MailServerOperator.ts")

const role = Command.make(
  "role",
  {
    keepPassword: Flag.Boolean("keep-password").pipe(
      Flag.withDescription("Leave its password as it is and say its grants and bounds again"),
      Flag.withDefault(false)
    ),
    json
  },
  (flags) => lazily(operator, (module) => module.role(flags))
).pipe(
  Command.withDescription(
    "Makes the database role as whom Dovecot and Postfix read, or gives it a new password, which is printed this once."
  ),
  Command.withExamples([
    {
      command: "signalbox mail-server role",
      description: "Then put the password into their files: config/dovecot, config/postfix"
    }
  ])
)

export const mailServer = Command.make("mail-server").pipe(
  Command.withDescription("What Dovecot and Postfix need to read our domains and mailboxes."),
  Command.withSubcommands([role])
)
