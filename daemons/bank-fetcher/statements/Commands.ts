/** Commands of `signalbox bank` about files, statements and transactions. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { limit } from "#core/cli/Limit.ts"
import { json } from "#core/cli/Output.ts"

const operator = () => import("./Operator.ts")

const tenant = Flag.Int("tenant").pipe(
  Flag.withDescription("Number of the tenant; the provider's own tenant is 1, the default"),
  Flag.withDefault(1)
)
const account = (description: string) => Flag.String("account").pipe(Flag.withDescription(description), Flag.optional)
const day = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(`${description}, such as 2026-01-31`), Flag.optional)
const before = Flag.Int("before").pipe(
  Flag.withDescription("Only entries before this number, for the next page"),
  Flag.optional
)

export const importFiles = Command.make(
  "import",
  {
    files: Argument.String("file").pipe(
      Argument.withDescription("camt.052, camt.053, MT940, MT942, or a ZIP file of these"),
      Argument.variadic({ min: 1 })
    ),
    account: account("UUID of the account that gets statements without an IBAN"),
    tenant,
    json
  },
  (flags) => lazily(operator, (module) => module.importFiles(flags))
).pipe(
  Command.withDescription(
    "Stores files with bank statements. A file that is stored already is not read again. The running daemon reads them."
  ),
  Command.withExamples([{ command: "signalbox bank import C53-2026-01.zip", description: "A download of the bank" }])
)

export const files = Command.make(
  "files",
  {
    failed: Flag.Boolean("failed").pipe(
      Flag.withDescription("Only files that could not be read"),
      Flag.withDefault(false)
    ),
    tenant,
    before,
    limit,
    json
  },
  (flags) => lazily(operator, (module) => module.files(flags))
).pipe(Command.withDescription("Lists files from banks, newest first, with what is wrong with them."))

export const parse = Command.make(
  "parse",
  { id: Argument.String("uuid").pipe(Argument.withDescription("UUID of the file")), json },
  (flags) => lazily(operator, (module) => module.parse(flags))
).pipe(Command.withDescription("Reads a failed file again, for example after an update."))

export const statements = Command.make(
  "statements",
  {
    account: account("Only statements of this account, by its UUID"),
    findings: Flag.Boolean("findings").pipe(
      Flag.withDescription("Only statements that people should look at"),
      Flag.withDefault(false)
    ),
    from: day("from", "Only statements that cover this day or a later one"),
    to: day("to", "Only statements that cover this day or an earlier one"),
    tenant,
    before,
    limit,
    json
  },
  (flags) => lazily(operator, (module) => module.statements(flags))
).pipe(Command.withDescription("Lists bank statements, newest first, with their findings."))

export const transactions = Command.make(
  "transactions",
  {
    account: account("Only transactions of this account, by its UUID"),
    statement: Flag.String("statement").pipe(
      Flag.withDescription("Only transactions of this statement, by its UUID"),
      Flag.optional
    ),
    status: Flag.String("status").pipe(
      Flag.withDescription("Only this reconciliation status, such as unmatched"),
      Flag.optional
    ),
    search: Flag.String("search").pipe(
      Flag.withDescription("Only transactions with this text in reference, name, IBAN or id"),
      Flag.optional
    ),
    from: day("from", "Only bookings since this day"),
    to: day("to", "Only bookings up to this day"),
    tenant,
    before,
    limit,
    json
  },
  (flags) => lazily(operator, (module) => module.transactions(flags))
).pipe(Command.withDescription("Lists bank transactions, newest first."))

export const raw = Command.make(
  "raw",
  { id: Argument.String("uuid").pipe(Argument.withDescription("UUID of the statement, or of the file")) },
  (flags) => lazily(operator, (module) => module.raw(flags))
).pipe(
  Command.withDescription("Writes the original file of a statement to standard output."),
  Command.withExamples([
    { command: "signalbox bank raw UUID > statement.xml", description: "The file as the bank sent it" }
  ])
)
