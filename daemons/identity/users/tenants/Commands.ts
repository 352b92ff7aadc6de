/** `signalbox tenant`: manages tenants on this machine. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { json } from "#core/cli/Output.ts"
import { limit } from "#core/cli/Limit.ts"

const operator = () => import("./Operator.ts")

const id = Argument.Int("tenant").pipe(Argument.withDescription("Number of the tenant in `list`"))

const create = Command.make(
  "create",
  { name: Flag.String("name").pipe(Flag.withDescription("Name of the tenant, which must be unique")), json },
  (flags) => lazily(operator, (module) => module.create(flags))
).pipe(Command.withDescription("Creates a tenant. Add users with: signalbox user create --tenant NUMBER"))

const list = Command.make("list", { limit, json }, (flags) => lazily(operator, (module) => module.list(flags))).pipe(
  Command.withDescription("Lists tenants, newest first. Number 1 is the provider itself.")
)

const suspend = Command.make("suspend", { id, json }, (flags) =>
  lazily(operator, (module) => module.suspend(flags))
).pipe(
  Command.withDescription("Suspends a tenant: ends all sessions of its users within a second and prevents signing in.")
)

const unsuspend = Command.make("unsuspend", { id, json }, (flags) =>
  lazily(operator, (module) => module.unsuspend(flags))
).pipe(Command.withDescription("Reactivates a suspended tenant."))

export const tenant = Command.make("tenant").pipe(
  Command.withDescription("Manages tenants, whose users cannot see each other's data."),
  Command.withSubcommands([create, list, suspend, unsuspend])
)
