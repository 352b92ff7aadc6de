/** `signalbox mail-alias`: addresses that pass mail on. */
import { Argument, Command } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { limit } from "#core/cli/Limit.ts"
import { json } from "#core/cli/Output.ts"
import { yes } from "#core/cli/Sure.ts"

const operator = () => import("./AliasOperator.ts")

const list = Command.make(
  "list",
  { which: Argument.String("domain").pipe(Argument.withDescription("Id or name of the domain")), limit, json },
  (flags) => lazily(operator, (module) => module.list(flags))
).pipe(Command.withDescription("Lists the aliases of a domain, newest first."))

const create = Command.make(
  "create",
  {
    address: Argument.String("address").pipe(Argument.withDescription("Address of the alias, office@example.org")),
    destination: Argument.String("destination").pipe(
      Argument.withDescription("Address to which its mail goes, here or elsewhere")
    ),
    json
  },
  (flags) => lazily(operator, (module) => module.create(flags))
).pipe(
  Command.withDescription("Creates an alias in an existing domain. An address may have several destinations."),
  Command.withExamples([
    { command: "signalbox mail-alias create office@example.org anna@example.org", description: "Anna reads it" }
  ])
)

const remove = Command.make(
  "delete",
  { id: Argument.Int("id").pipe(Argument.withDescription("Id of the alias, as in `list`")), yes, json },
  (flags) => lazily(operator, (module) => module.remove(flags))
).pipe(
  Command.withDescription("Deletes an alias. To change one, create another and delete it."),
  Command.withExamples([{ command: "signalbox mail-alias delete 3 --yes", description: "Without a question" }])
)

export const mailAlias = Command.make("mail-alias").pipe(
  Command.withDescription("Aliases of mail domains: addresses that pass mail on."),
  Command.withSubcommands([list, create, remove])
)
