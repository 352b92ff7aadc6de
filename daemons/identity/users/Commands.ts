/** `signalbox user`: manages users on this machine. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { json } from "#core/cli/Output.ts"
import { limit } from "#core/cli/Limit.ts"

export { tenant } from "./tenants/Commands.ts"

const operator = () => import("./Operator.ts")

const target = Argument.String("user").pipe(Argument.withDescription("Number or e-mail address of the user"))

const password = {
  password: Flag.Redacted("password").pipe(
    Flag.withDescription(
      "Password of the user; other users of this machine can see it while the command runs, unlike --password-file"
    ),
    Flag.optional
  ),
  passwordFile: Flag.String("password-file").pipe(
    Flag.withDescription("File with the password, or - for standard input; a line break at the end is ignored"),
    Flag.optional
  )
}

const create = Command.make(
  "create",
  {
    email: Flag.String("email").pipe(Flag.withDescription("E-mail address for signing in")),
    ...password,
    role: Flag.String("role").pipe(
      Flag.withDescription("admin, reseller, customer, user or support; default: user"),
      Flag.withDefault("user")
    ),
    name: Flag.String("name").pipe(
      Flag.withDescription("Name of the user; default: the part of the address before the @"),
      Flag.optional
    ),
    locale: Flag.String("locale").pipe(
      Flag.withDescription("Language of messages to the user, such as de or en-GB; default: en"),
      Flag.withDefault("en")
    ),
    timeZone: Flag.String("time-zone").pipe(
      Flag.withDescription("Time zone that times are shown in, such as Europe/Berlin; default: as the user's device"),
      Flag.optional
    ),
    tenant: Flag.Int("tenant").pipe(
      Flag.withDescription("Number of the tenant; the provider's own tenant is 1, the default"),
      Flag.withDefault(1)
    ),
    json
  },
  (flags) => lazily(operator, (module) => module.create(flags))
).pipe(
  Command.withDescription("Creates a user. Without a password, prints a one-time sign-in link."),
  Command.withExamples([
    {
      command: "signalbox user create --email anna@example.org --role admin",
      description: "A colleague, with a link to send"
    },
    {
      command: "pass show anna | signalbox user create --email anna@example.org --password-file -",
      description: "With a password that stays hidden"
    }
  ])
)

const list = Command.make(
  "list",
  {
    tenant: Flag.Int("tenant").pipe(Flag.withDescription("Only users of this tenant, by its number"), Flag.optional),
    role: Flag.String("role").pipe(Flag.withDescription("Only users with this role"), Flag.optional),
    state: Flag.String("state").pipe(Flag.withDescription("Only active or only suspended users"), Flag.optional),
    search: Flag.String("search").pipe(
      Flag.withDescription("Only users with this text in the address or name"),
      Flag.optional
    ),
    before: Flag.Int("before").pipe(
      Flag.withDescription("Only users with a smaller number, for the next page"),
      Flag.optional
    ),
    limit,
    json
  },
  (flags) => lazily(operator, (module) => module.list(flags))
).pipe(Command.withDescription("Lists users, newest first."))

const show = Command.make("show", { target, json }, (flags) => lazily(operator, (module) => module.show(flags))).pipe(
  Command.withDescription("Shows one user.")
)

const change = Command.make(
  "change",
  {
    target,
    email: Flag.String("email").pipe(Flag.withDescription("New e-mail address for signing in"), Flag.optional),
    name: Flag.String("name").pipe(Flag.withDescription("New name"), Flag.optional),
    locale: Flag.String("locale").pipe(
      Flag.withDescription("New language of messages to the user, such as de or en-GB"),
      Flag.optional
    ),
    timeZone: Flag.String("time-zone").pipe(
      Flag.withDescription("New time zone, such as Europe/Berlin; empty: as the user's device"),
      Flag.optional
    ),
    json
  },
  (flags) => lazily(operator, (module) => module.change(flags))
).pipe(
  Command.withDescription("Changes address, name, language or time zone of a user."),
  Command.withExamples([
    {
      command: "signalbox user change anna@example.org --locale de --time-zone Europe/Berlin",
      description: "Language and time zone of mails, notifications and the console"
    }
  ])
)

const suspend = Command.make("suspend", { target, json }, (flags) =>
  lazily(operator, (module) => module.suspend(flags))
).pipe(Command.withDescription("Suspends a user: ends all sessions within a second and prevents signing in."))

const unsuspend = Command.make("unsuspend", { target, json }, (flags) =>
  lazily(operator, (module) => module.unsuspend(flags))
).pipe(Command.withDescription("Reactivates a suspended user."))

const role = Command.make(
  "role",
  {
    target,
    role: Argument.String("role").pipe(Argument.withDescription("admin, reseller, customer, user or support")),
    json
  },
  (flags) => lazily(operator, (module) => module.role(flags))
).pipe(Command.withDescription("Changes the role of a user and ends all sessions of the user."))

const setPassword = Command.make("password", { target, ...password, json }, (flags) =>
  lazily(operator, (module) => module.password(flags))
).pipe(Command.withDescription("Sets the password of a user and ends all sessions of the user."))

const link = Command.make("link", { target, json }, (flags) => lazily(operator, (module) => module.link(flags))).pipe(
  Command.withDescription(
    "Prints a one-time link with which a user signs in and sets a password. " +
      "For users who forgot the password or lost a second factor."
  )
)

const sessions = Command.make("sessions", { target, json }, (flags) =>
  lazily(operator, (module) => module.sessions(flags))
).pipe(Command.withDescription("Lists the sessions of a user."))

const signOut = Command.make("sign-out", { target, json }, (flags) =>
  lazily(operator, (module) => module.signOut(flags))
).pipe(Command.withDescription("Ends all sessions of a user within a second."))

const remove = Command.make("delete", { target, json }, (flags) =>
  lazily(operator, (module) => module.remove(flags))
).pipe(Command.withDescription("Deletes a user with factors, links and preferences; audit entries stay."))

export const user = Command.make("user").pipe(
  Command.withDescription("Manages users."),
  Command.withSubcommands([
    create,
    list,
    show,
    change,
    suspend,
    unsuspend,
    role,
    setPassword,
    link,
    sessions,
    signOut,
    remove
  ])
)
