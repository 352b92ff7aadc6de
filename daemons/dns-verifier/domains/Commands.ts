/** `signalbox domain`: shows domains and checks their DNS from this machine. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { limit } from "#core/cli/Limit.ts"
import { json, lang } from "#core/cli/Output.ts"

const operator = () => import("./Operator.ts")

const which = Argument.String("domain").pipe(Argument.withDescription("Id or name"))

const ofFindings = lang("Language of the findings")

const list = Command.make(
  "list",
  {
    tenant: Flag.Int("tenant").pipe(Flag.withDescription("Only domains of this tenant"), Flag.optional),
    customer: Flag.Int("customer").pipe(Flag.withDescription("Only domains of this customer"), Flag.optional),
    status: Flag.Literals("status", [
      "manual",
      "managed",
      "credentials_missing",
      "pending_verification",
      "verified",
      "error"
    ]).pipe(Flag.withDescription("Only domains with this dns_status"), Flag.optional),
    skip: Flag.Int("skip").pipe(
      Flag.withDescription("Number of newest domains to skip; default: 0"),
      Flag.filter(
        (skip) => skip >= 0,
        () => "a number from 0"
      ),
      Flag.withDefault(0)
    ),
    limit,
    json
  },
  (flags) => lazily(operator, (module) => module.list(flags))
).pipe(
  Command.withDescription("Lists domains, newest first."),
  Command.withExamples([
    { command: "signalbox domain list --status error", description: "Domains that no longer point to the platform" }
  ])
)

const show = Command.make("show", { which, json }, (flags) => lazily(operator, (module) => module.show(flags))).pipe(
  Command.withDescription("Shows a domain and its records.")
)

const check = Command.make("check", { which, lang: ofFindings, json }, (flags) =>
  lazily(operator, (module) => module.check(flags))
).pipe(Command.withDescription("Shows the last check: the findings and each server's answer. Sends no DNS query."))

const verify = Command.make("verify", { which, lang: ofFindings, json }, (flags) =>
  lazily(operator, (module) => module.verify(flags))
).pipe(
  Command.withDescription(
    "Checks a domain now: asks all its name servers and the resolvers, and stores the result. Exit code 1 when the " +
      "domain does not point to the platform."
  ),
  Command.withExamples([
    {
      command: "signalbox domain verify example.org --lang de",
      description: "Shows in German what the customer must change"
    }
  ])
)

const assert = Command.make("assert", { which, json }, (flags) =>
  lazily(operator, (module) => module.assert(flags))
).pipe(
  Command.withDescription("Accepts without proof in DNS that the tenant owns the domain. Its zone may be written then.")
)

export const domain = Command.make("domain").pipe(
  Command.withDescription("Domains and the checks of their DNS."),
  Command.withSubcommands([list, show, check, verify, assert])
)
