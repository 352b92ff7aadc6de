/** `signalbox tenant`: manages tenants on this machine. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { json } from "#core/cli/Output.ts"
import { limit } from "#core/cli/Limit.ts"

const operator = () => import("./Operator.ts")

const id = Argument.Int("tenant").pipe(Argument.withDescription("Number of the tenant, as `list` shows it"))

const create = Command.make(
  "create",
  { name: Flag.String("name").pipe(Flag.withDescription("Its name, which no other tenant has")), json },
  (flags) => lazily(operator, (module) => module.create(flags))
).pipe(Command.withDescription("Makes a tenant. Its people: signalbox user create --tenant NUMBER."))

const list = Command.make("list", { limit, json }, (flags) => lazily(operator, (module) => module.list(flags))).pipe(
  Command.withDescription("Lists tenants, newest first. Number 1 is the provider itself.")
)

const suspend = Command.make("suspend", { id, json }, (flags) =>
  lazily(operator, (module) => module.suspend(flags))
).pipe(
  Command.withDescription("Suspends a tenant: its people are signed out everywhere within a second and cannot sign in.")
)

const unsuspend = Command.make("unsuspend", { id, json }, (flags) =>
  lazily(operator, (module) => module.unsuspend(flags))
).pipe(Command.withDescription("Lets the people of a suspended tenant sign in again."))

export const tenant = Command.make("tenant").pipe(
  Command.withDescription("Who is kept apart from whom."),
  Command.withSubcommands([create, list, suspend, unsuspend])
)
