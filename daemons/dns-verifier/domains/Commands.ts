/** `signalbox domain`: shows domains and checks their DNS from this machine. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { json, lang } from "#core/cli/Output.ts"

const operator = () => import("./Operator.ts")

const which = Argument.String("domain").pipe(Argument.withDescription("Number or name"))

const ofFindings = lang("Language of the findings")

const list = Command.make(
  "list",
  {
    tenant: Flag.Int("tenant").pipe(Flag.withDescription("Only of this tenant"), Flag.optional),
    customer: Flag.Int("customer").pipe(Flag.withDescription("Only of this customer"), Flag.optional),
    status: Flag.Literals("status", [
      "manual",
      "managed",
      "credentials_missing",
      "pending_verification",
      "verified",
      "error"
    ]).pipe(Flag.withDescription("Only with this dns_status"), Flag.optional),
    skip: Flag.Int("skip").pipe(
      Flag.withDescription("Leave out so many, the newest"),
      Flag.filter(
        (skip) => skip >= 0,
        () => "write a number from 0"
      ),
      Flag.withDefault(0)
    ),
    limit: Flag.Int("limit").pipe(
      Flag.withDescription("At most so many, newest first"),
      Flag.filter(
        (limit) => limit >= 1 && limit <= 1000,
        () => "write a number from 1 to 1000"
      ),
      Flag.withDefault(50)
    ),
    json
  },
  (flags) => lazily(operator, (module) => module.list(flags))
).pipe(
  Command.withDescription("Lists domains, newest first."),
  Command.withExamples([
    { command: "signalbox domain list --status error", description: "What led here and leads elsewhere by now" }
  ])
)

const show = Command.make("show", { which, json }, (flags) => lazily(operator, (module) => module.show(flags))).pipe(
  Command.withDescription("Shows one domain with the records it is to have.")
)

const check = Command.make("check", { which, lang: ofFindings, json }, (flags) =>
  lazily(operator, (module) => module.check(flags))
).pipe(Command.withDescription("Shows what the last look saw: the findings, and what each server said. Asks nobody."))

const verify = Command.make("verify", { which, lang: ofFindings, json }, (flags) =>
  lazily(operator, (module) => module.verify(flags))
).pipe(
  Command.withDescription(
    "Asks all name servers of a domain and the resolvers now, and writes down what that makes of it. " +
      "Status 1 when it does not lead here."
  ),
  Command.withExamples([
    {
      command: "signalbox domain verify example.org --lang de",
      description: "What stands in a customer's way, in German"
    }
  ])
)

export const domain = Command.make("domain").pipe(
  Command.withDescription("Domains and where they lead."),
  Command.withSubcommands([list, show, check, verify])
)
