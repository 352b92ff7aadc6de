/** `signalbox user`: manages users on this machine. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { json } from "#core/cli/Output.ts"
import { limit } from "#core/cli/Limit.ts"

export { tenant } from "./tenants/Commands.ts"

const operator = () => import("./Operator.ts")

const who = Argument.String("user").pipe(Argument.withDescription("Number or e-mail address"))

const password = {
  password: Flag.Redacted("password").pipe(
    Flag.withDescription(
      "Their password. Others on this machine may see it while the command runs: --password-file hides it"
    ),
    Flag.optional
  ),
  passwordFile: Flag.String("password-file").pipe(
    Flag.withDescription(
      "A file that holds the password, or - for standard input; a line break at its end is left out"
    ),
    Flag.optional
  )
}

const create = Command.make(
  "create",
  {
    email: Flag.String("email").pipe(Flag.withDescription("Address they sign in with")),
    ...password,
    role: Flag.String("role").pipe(
      Flag.withDescription("admin, reseller, customer, user or support"),
      Flag.withDefault("user")
    ),
    name: Flag.String("name").pipe(
      Flag.withDescription("Their name; without it, what stands before the @"),
      Flag.optional
    ),
    locale: Flag.String("locale").pipe(
      Flag.withDescription("Language of what is sent to them, such as de or en-GB"),
      Flag.withDefault("en")
    ),
    tenant: Flag.Int("tenant").pipe(
      Flag.withDescription("Number of their tenant; the provider's own is 1"),
      Flag.withDefault(1)
    ),
    json
  },
  (flags) => lazily(operator, (module) => module.create(flags))
).pipe(
  Command.withDescription("Makes a user who can sign in. Without a password a one-time sign-in link is printed."),
  Command.withExamples([
    {
      command: "signalbox user create --email anna@example.org --role admin",
      description: "A colleague, by a link to pass on"
    },
    {
      command: "pass show anna | signalbox user create --email anna@example.org --password-file -",
      description: "With a password nobody sees"
    }
  ])
)

const list = Command.make(
  "list",
  {
    tenant: Flag.Int("tenant").pipe(Flag.withDescription("Only of this tenant"), Flag.optional),
    role: Flag.String("role").pipe(Flag.withDescription("Only with this role"), Flag.optional),
    state: Flag.String("state").pipe(Flag.withDescription("Only active or suspended ones"), Flag.optional),
    search: Flag.String("search").pipe(Flag.withDescription("Only with this in their address or name"), Flag.optional),
    before: Flag.Int("before").pipe(Flag.withDescription("Only with a smaller number: the next page"), Flag.optional),
    limit,
    json
  },
  (flags) => lazily(operator, (module) => module.list(flags))
).pipe(Command.withDescription("Lists users, newest first."))

const show = Command.make("show", { who, json }, (flags) => lazily(operator, (module) => module.show(flags))).pipe(
  Command.withDescription("Shows one user.")
)

const suspend = Command.make("suspend", { who, json }, (flags) =>
  lazily(operator, (module) => module.suspend(flags))
).pipe(Command.withDescription("Suspends a user: they are signed out everywhere within a second and cannot sign in."))

const unsuspend = Command.make("unsuspend", { who, json }, (flags) =>
  lazily(operator, (module) => module.unsuspend(flags))
).pipe(Command.withDescription("Lets a suspended user sign in again."))

const role = Command.make(
  "role",
  {
    who,
    role: Argument.String("role").pipe(Argument.withDescription("admin, reseller, customer, user or support")),
    json
  },
  (flags) => lazily(operator, (module) => module.role(flags))
).pipe(Command.withDescription("Gives a user another role; they are signed out everywhere."))

const setPassword = Command.make("password", { who, ...password, json }, (flags) =>
  lazily(operator, (module) => module.password(flags))
).pipe(Command.withDescription("Sets a user's password; they are signed out everywhere."))

const link = Command.make("link", { who, json }, (flags) => lazily(operator, (module) => module.link(flags))).pipe(
  Command.withDescription(
    "Prints a one-time link by which a user signs in and chooses a password. For whoever forgot theirs, or lost a second factor."
  )
)

const sessions = Command.make("sessions", { who, json }, (flags) =>
  lazily(operator, (module) => module.sessions(flags))
).pipe(Command.withDescription("Lists where a user is signed in."))

const signOut = Command.make("sign-out", { who, json }, (flags) =>
  lazily(operator, (module) => module.signOut(flags))
).pipe(Command.withDescription("Signs a user out everywhere, within a second."))

const remove = Command.make("delete", { who, json }, (flags) =>
  lazily(operator, (module) => module.remove(flags))
).pipe(Command.withDescription("Deletes a user with all that hangs on them; the audit log stays."))

export const user = Command.make("user").pipe(
  Command.withDescription("The people who sign in."),
  Command.withSubcommands([create, list, show, suspend, unsuspend, role, setPassword, link, sessions, signOut, remove])
)
