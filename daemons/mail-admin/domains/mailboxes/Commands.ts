/** `signalbox mailbox`: mailboxes of mail domains. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { limit } from "#core/cli/Limit.ts"
import { json } from "#core/cli/Output.ts"
import { yes } from "#core/cli/Sure.ts"

const operator = () => import("./MailboxOperator.ts")
const changes = () => import("./MailboxCommandChanges.ts")

const domain = Argument.String("domain").pipe(Argument.withDescription("Id or name of the domain"))
const which = Argument.String("mailbox").pipe(Argument.withDescription("Id or address of the mailbox"))
const address = Argument.String("address").pipe(Argument.withDescription("Address, such as anna@example.org"))
const quota = Flag.Int("quota").pipe(
  Flag.withDescription("Largest size in MiB; default: no limit"),
  Flag.filter(
    (size) => size > 0,
    () => "at least 1 MiB"
  ),
  Flag.optional
)

const list = Command.make("list", { which: domain, limit, json }, (flags) =>
  lazily(operator, (module) => module.list(flags))
).pipe(Command.withDescription("Lists the mailboxes of a domain, newest first."))

const create = Command.make(
  "create",
  {
    address,
    quota,
    user: Flag.Int("user").pipe(
      Flag.withDescription("Id of the user who reads it; default: the user with this address"),
      Flag.optional
    ),
    json
  },
  (flags) => lazily(operator, (module) => module.create(flags))
).pipe(
  Command.withDescription("Creates a mailbox in an existing domain, and prints its password this one time."),
  Command.withExamples([
    { command: "signalbox mailbox create anna@example.org --quota 5000", description: "With at most 5,000 MiB" }
  ])
)

const change = Command.make(
  "change",
  {
    which,
    quota: quota.pipe(Flag.withDescription("Largest size in MiB")),
    noQuota: Flag.Boolean("no-quota").pipe(Flag.withDescription("No limit of its size"), Flag.withDefault(false)),
    user: Flag.Int("user").pipe(Flag.withDescription("Id of the user who reads it"), Flag.optional),
    noUser: Flag.Boolean("no-user").pipe(
      Flag.withDescription("Nobody reads it, also not the user with its address"),
      Flag.withDefault(false)
    ),
    newPassword: Flag.Boolean("new-password").pipe(
      Flag.withDescription("Give it a new password, printed this one time; mail programs must be told"),
      Flag.withDefault(false)
    ),
    json
  },
  (flags) => lazily(changes, (module) => module.change(flags))
).pipe(
  Command.withDescription("Changes a mailbox; what is not named stays."),
  Command.withExamples([
    { command: "signalbox mailbox change anna@example.org --new-password", description: "The password was lost" }
  ])
)

const suspend = Command.make("suspend", { which, json }, (flags) =>
  lazily(changes, (module) => module.setState(flags, "suspended"))
).pipe(Command.withDescription("Refuses sign-ins to a mailbox; its mail stays."))

const unsuspend = Command.make("unsuspend", { which, json }, (flags) =>
  lazily(changes, (module) => module.setState(flags, "active"))
).pipe(Command.withDescription("Reactivates a suspended mailbox."))

const remove = Command.make("delete", { which, yes, json }, (flags) =>
  lazily(changes, (module) => module.remove(flags))
).pipe(
  Command.withDescription("Deletes a mailbox. Its mail stays on the mail server until it is purged."),
  Command.withExamples([
    { command: "signalbox mailbox delete anna@example.org --yes", description: "Without a question" },
    { command: "signalbox mail-server purge", description: "Deletes the mail of deleted mailboxes" }
  ])
)

export const mailbox = Command.make("mailbox").pipe(
  Command.withDescription("Mailboxes of mail domains."),
  Command.withSubcommands([list, create, change, suspend, unsuspend, remove])
)
