/** `signalbox mail-server`: sets up what Dovecot and Postfix need to read the database. */
import { Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { json } from "#core/cli/Output.ts"
import { defaultGrace } from "./PurgeHomes.ts"

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
    "Creates the database role with which Dovecot reads, or gives it a new password. The password is " +
      "printed only this once."
  ),
  Command.withExamples([
    { command: "signalbox mail-server role", description: "Then put the password into the files of config/dovecot" }
  ])
)

const purge = Command.make(
  "purge",
  {
    dir: Flag.Directory("dir").pipe(
      Flag.withDescription("Dovecot's mail folder on this host, such as /var/mail/vhosts")
    ),
    days: Flag.Int("days").pipe(
      Flag.withDescription(`Days between the deletion of a mailbox and of its mail; default: ${defaultGrace}`),
      Flag.withDefault(defaultGrace)
    ),
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withDescription("Only print what would be deleted"),
      Flag.withDefault(false)
    ),
    json
  },
  (flags) => lazily(operator, (module) => module.purge(flags))
).pipe(
  Command.withDescription(
    "Deletes the mail of mailboxes that were deleted some time ago. Runs on the mail server's host, as root or the " +
      "owner of the mail."
  ),
  Command.withExamples([
    {
      command: "signalbox mail-server purge --dir /var/mail/vhosts --dry-run",
      description: "Prints the mailboxes whose mail is due"
    }
  ])
)

export const mailServer = Command.make("mail-server").pipe(
  Command.withDescription("Database access of the mail server, and the mail of deleted mailboxes."),
  Command.withSubcommands([role, purge])
)
