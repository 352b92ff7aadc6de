/** `signalbox mail-server`: sets up what Dovecot and Postfix need to read the database. */
import { Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { json } from "#core/cli/Output.ts"

const operator = () => import("./MailServerOperator.ts")

const role = Command.make(
  "role",
  {
    keepPassword: Flag.Boolean("keep-password").pipe(
      Flag.withDescription("Keep the password; only renew the grants and limits"),
      Flag.withDefault(false)
    ),
    json
  },
  (flags) => lazily(operator, (module) => module.role(flags))
).pipe(
  Command.withDescription(
    "Creates the database role with which Dovecot and Postfix read, or gives it a new password. The password is " +
      "printed only this once."
  ),
  Command.withExamples([
    {
      command: "signalbox mail-server role",
      description: "Then put the password into the files of config/dovecot and config/postfix"
    }
  ])
)

export const mailServer = Command.make("mail-server").pipe(
  Command.withDescription("Database access of Dovecot and Postfix to the mail domains and mailboxes."),
  Command.withSubcommands([role])
)
