/** `signalbox status show`. */
import { Command } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { json, lang } from "#core/cli/Output.ts"

const operator = () => import("./Operator.ts")

export const show = Command.make("show", { lang: lang("Language of names and titles"), json }, (flags) =>
  lazily(operator, (module) => module.show(flags))
).pipe(
  Command.withDescription(
    "Shows the content of the page: components with their uptime of 90 days (three days per mark), open incidents, " +
      "maintenance."
  ),
  Command.withExamples([
    {
      command: "signalbox status show",
      description: "▇ good, ▅ degraded, ▃ partly down, ▁ down, ~ maintenance, · not measured"
    }
  ])
)
