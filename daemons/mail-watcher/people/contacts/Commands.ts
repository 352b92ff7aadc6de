/** `signalbox contact`: the address books of mail accounts. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { limit } from "#core/cli/Limit.ts"
import { json } from "#core/cli/Output.ts"
import { yes } from "#core/cli/Sure.ts"
import { account } from "../../operator/AccountArgument.ts"

const operator = () => import("./ContactOperator.ts")

const id = Argument.Int("id").pipe(Argument.withDescription("Id of the contact, as in `list`"))

const fields = {
  company: Flag.String("company").pipe(Flag.withDescription("Company"), Flag.optional),
  email: Flag.String("email").pipe(Flag.withDescription("Mail address; may be given several times"), Flag.atLeast(0)),
  phone: Flag.String("phone").pipe(Flag.withDescription("Phone number; may be given several times"), Flag.atLeast(0)),
  website: Flag.String("website").pipe(
    Flag.withDescription("http or https address; may be given several times"),
    Flag.atLeast(0)
  ),
  note: Flag.String("note").pipe(Flag.withDescription("Note"), Flag.optional)
}

const name = (description: string) => Flag.String("name").pipe(Flag.withDescription(description), Flag.optional)

const list = Command.make(
  "list",
  {
    account,
    search: Flag.String("search").pipe(
      Flag.withDescription("Only contacts with these words in name, company, address or number"),
      Flag.optional
    ),
    limit,
    json
  },
  (flags) => lazily(operator, (module) => module.list(flags))
).pipe(Command.withDescription("Lists the contacts of a mail account, newest first."))

const show = Command.make("show", { account, id, json }, (flags) =>
  lazily(operator, (module) => module.show(flags))
).pipe(Command.withDescription("Shows one contact."))

const add = Command.make("add", { account, name: name("Name; needed"), ...fields, json }, (flags) =>
  lazily(operator, (module) => module.add(flags))
).pipe(
  Command.withDescription("Adds a contact."),
  Command.withExamples([
    {
      command: 'signalbox contact add anna@example.org --name "Ben Miller" --email ben@example.net',
      description: "To Anna's address book"
    }
  ])
)

const change = Command.make("change", { account, id, name: name("New name"), ...fields, json }, (flags) =>
  lazily(operator, (module) => module.change(flags))
).pipe(Command.withDescription("Changes a contact. Given addresses, numbers or websites replace all former ones."))

const remove = Command.make("delete", { account, id, yes, json }, (flags) =>
  lazily(operator, (module) => module.remove(flags))
).pipe(Command.withDescription("Deletes a contact."))

const exported = Command.make(
  "export",
  {
    account,
    file: Argument.String("file").pipe(
      Argument.withDescription("File for the vCards; -: standard output, the default"),
      Argument.withDefault("-")
    ),
    json
  },
  (flags) => lazily(operator, (module) => module.exported(flags))
).pipe(
  Command.withDescription("Writes all contacts of a mail account as vCards."),
  Command.withExamples([
    { command: "signalbox contact export anna@example.org anna.vcf", description: "For another address book" }
  ])
)

const imported = Command.make(
  "import",
  { account, file: Argument.String("file").pipe(Argument.withDescription("File with vCards, at most 1 MiB")), json },
  (flags) => lazily(operator, (module) => module.imported(flags))
).pipe(Command.withDescription("Adds the contacts of a file of vCards that are not there yet."))

export const contact = Command.make("contact").pipe(
  Command.withDescription("Contacts in the address books of mail accounts."),
  Command.withSubcommands([list, show, add, change, remove, exported, imported])
)
