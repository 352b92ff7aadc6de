/** CLI command `signalbox sip route`: shows how a call would be routed. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { json, lang } from "#core/cli/Output.ts"

export const route = Command.make(
  "route",
  {
    from: Argument.String("from").pipe(
      Argument.withDescription("Caller: an extension such as 1001@voice.example.org, or an outside telephone number")
    ),
    to: Argument.String("to").pipe(Argument.withDescription("Dialled number")),
    tenant: Flag.Int("tenant").pipe(
      Flag.withDescription("Tenant ID of the extension FROM, when FROM names no domain"),
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
  Command.withDescription("Shows how a call would be routed, step by step. No call is placed."),
  Command.withExamples([
    { command: "signalbox sip route 1001@voice.example.org 0301234567", description: "Call from a phone" },
    { command: "signalbox sip route +4930999 +4930123456", description: "Call from outside to a DID" }
  ])
)
