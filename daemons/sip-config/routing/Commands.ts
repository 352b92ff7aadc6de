/** CLI command `signalbox sip`: shows how a call would be routed. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { json, lang } from "#core/cli/Output.ts"

const route = Command.make(
  "route",
  {
    from: Argument.String("from").pipe(
      Argument.withDescription("1001@voice.example.org, or the number of a caller from outside")
    ),
    to: Argument.String("to").pipe(Argument.withDescription("What is dialled")),
    tenant: Flag.Int("tenant").pipe(
      Flag.withDescription("Whose extension FROM is, where it names no domain"),
      Flag.optional
    ),
    lang: lang("Language of the steps"),
    json
  },
  (flags) =>
    lazily(
      () => import("./dry-run/SipOperator.ts"),
      (module) => module.route(flags)
    )
).pipe(
  Command.withDescription("Shows where a call would go, filter by filter. Nothing rings."),
  Command.withExamples([
    { command: "signalbox sip route 1001@voice.example.org 0301234567", description: "A call of a phone" },
    { command: "signalbox sip route +4930999 +4930123456", description: "A call from outside to a number of ours" }
  ])
)

export const sip = Command.make("sip").pipe(
  Command.withDescription("Ask the telephony."),
  Command.withSubcommands([route])
)
