/** `signalbox user`: the people who sign in, managed at this machine. */
import { Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { json } from "#core/cli/Output.ts"

const operator = () => import("./UserOperator.ts")

const password = {
  password: Flag.Redacted("password").pipe(
    Flag.withDescription("Their password. Others on this machine may see it while the command runs: --password-file hides it"),
    Flag.optional
  ),
  passwordFile: Flag.String("password-file").pipe(
    Flag.withDescription("A file that holds the password, or - for standard input; a line break at its end is left out"),
    Flag.optional
  )
}

const tenant = (description: string) => Flag.Int("tenant").pipe(Flag.withDescription(description))

const create = Command.make(
  "create",
  {
    email: Flag.String("email").pipe(Flag.withDescription("Address they sign in with")),
    ...password,
    role: Flag.String("role").pipe(Flag.withDescription("admin, reseller, customer, user or support"), Flag.withDefault("user")),
    name: Flag.String("name").pipe(Flag.withDescription("Their name; without it, what stands before the @"), Flag.optional),
    locale: Flag.String("locale").pipe(Flag.withDescription("Language of what is sent to them, such as de or en-GB"), Flag.withDefault("en")),
    tenant: tenant("Number of their tenant").pipe(Flag.withDefault(1)),
    json
  },
  (flags) => lazily(operator, (module) => module.create(flags))
).pipe(
  Command.withDescription("Makes a user who can sign in. Without a password a one-time sign-in link is printed."),
  Command.withExamples([
    { command: "signalbox user create --email anna@example.org --role admin", description: "A colleague, by a link to pass on" },
    { command: "pass show anna | signalbox user create --email anna@example.org --password-file -", description: "With a password nobody sees" }
  ])
)

export const user = Command.make("user").pipe(
  Command.withDescription("The people who sign in."),
  Command.withSubcommands([create])
)
