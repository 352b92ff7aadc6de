/** Commands of files with translations. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { json } from "#core/cli/Output.ts"
import { formats } from "./Fields.ts"

const operator = () => import("./Operator.ts")
const locale = Argument.String("locale").pipe(Argument.withDescription("Language tag such as de or pt-BR"))
const format = Flag.Literals("format", formats).pipe(
  Flag.withDescription("Format of the file; default: by its name, else csv"),
  Flag.optional
)

const exported = Command.make(
  "export",
  {
    locale,
    file: Argument.String("file").pipe(Argument.withDescription("File to write; - is standard output")),
    format,
    json
  },
  (flags) => lazily(operator, (module) => module.exported(flags))
).pipe(
  Command.withDescription("Writes the texts of a language to a CSV or XLIFF file."),
  Command.withExamples([{ command: "signalbox localization export de texts-de.xlf", description: "For a translator" }])
)

const imported = Command.make(
  "import",
  { locale, file: Argument.String("file").pipe(Argument.withDescription("CSV or XLIFF file")), format, json },
  (flags) => lazily(operator, (module) => module.imported(flags))
).pipe(Command.withDescription("Stores the translations of a file, and lists the texts that are refused."))

export const fileCommands = [exported, imported] as const
