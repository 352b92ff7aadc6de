/** Commands of models. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { limit } from "#core/cli/Limit.ts"
import { json } from "#core/cli/Output.ts"
import { tenant } from "../OperatorFlags.ts"

const operator = () => import("./Operator.ts")
const name = Argument.String("name").pipe(Argument.withDescription("Name of the model"))

const status = Command.make("status", { tenant, json }, (flags) =>
  lazily(operator, (module) => module.status(flags))
).pipe(Command.withDescription("Shows the active model of a tenant and its measurements."))

const models = Command.make("models", { tenant, limit, json }, (flags) =>
  lazily(operator, (module) => module.list(flags))
).pipe(Command.withDescription("Lists the models of a tenant, newest first."))

const activate = Command.make(
  "activate",
  {
    name,
    tenant,
    force: Flag.Boolean("force").pipe(
      Flag.withDescription("Also a model that does not reach the bounds; the audit log has it"),
      Flag.withDefault(false)
    ),
    json
  },
  (flags) => lazily(operator, (module) => module.activate(flags))
).pipe(Command.withDescription("Activates a model for all users of the tenant. Open connections use it at once."))

const deactivate = Command.make("deactivate", { name, tenant, json }, (flags) =>
  lazily(operator, (module) => module.deactivate(flags))
).pipe(Command.withDescription("Deactivates a model; browsers then use their own recognition."))

const remove = Command.make("delete", { name, tenant, json }, (flags) =>
  lazily(operator, (module) => module.remove(flags))
).pipe(Command.withDescription("Deletes a model that is not active."))

export const modelCommands = [status, models, activate, deactivate, remove] as const
