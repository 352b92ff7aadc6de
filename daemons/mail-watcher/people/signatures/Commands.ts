/** `signalbox signature`: the signatures of mail accounts. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { limit } from "#core/cli/Limit.ts"
import { json } from "#core/cli/Output.ts"
import { yes } from "#core/cli/Sure.ts"
import { account } from "../../operator/AccountArgument.ts"

const operator = () => import("./SignatureOperator.ts")

const id = Argument.Int("id").pipe(Argument.withDescription("Id of the signature, as in `list`"))

const fields = {
  isDefault: Flag.Boolean("default").pipe(
    Flag.withDescription("The signature for all other recipients"),
    Flag.withDefault(false)
  ),
  noDefault: Flag.Boolean("no-default").pipe(
    Flag.withDescription("Not the signature for all other recipients"),
    Flag.withDefault(false)
  ),
  for: Flag.String("for").pipe(
    Flag.withDescription("Recipients: an address, a domain, or *.example.org; may be given several times"),
    Flag.atLeast(0)
  )
}

const list = Command.make("list", { account, limit, json }, (flags) =>
  lazily(operator, (module) => module.list(flags))
).pipe(Command.withDescription("Lists the signatures of a mail account, newest first."))

const show = Command.make("show", { account, id, json }, (flags) =>
  lazily(operator, (module) => module.show(flags))
).pipe(Command.withDescription("Shows one signature with its HTML."))

const add = Command.make(
  "add",
  {
    account,
    name: Flag.String("name").pipe(Flag.withDescription("Name; needed"), Flag.optional),
    file: Flag.String("file").pipe(
      Flag.withDescription("File with the HTML, or - for standard input; needed"),
      Flag.optional
    ),
    ...fields,
    json
  },
  (flags) => lazily(operator, (module) => module.add(flags))
).pipe(
  Command.withDescription("Adds a signature. Its HTML is sanitised."),
  Command.withExamples([
    {
      command: "signalbox signature add anna@example.org --name Office --file office.html --default",
      description: "For all mail of Anna"
    }
  ])
)

const change = Command.make(
  "change",
  {
    account,
    id,
    name: Flag.String("name").pipe(Flag.withDescription("New name"), Flag.optional),
    file: Flag.String("file").pipe(
      Flag.withDescription("File with the new HTML, or - for standard input"),
      Flag.optional
    ),
    ...fields,
    json
  },
  (flags) => lazily(operator, (module) => module.change(flags))
).pipe(Command.withDescription("Changes a signature. Given recipients replace all former ones."))

const remove = Command.make("delete", { account, id, yes, json }, (flags) =>
  lazily(operator, (module) => module.remove(flags))
).pipe(Command.withDescription("Deletes a signature."))

export const signature = Command.make("signature").pipe(
  Command.withDescription("Signatures of mail accounts."),
  Command.withSubcommands([list, show, add, change, remove])
)
