/** `signalbox mail-domain`: mail domains and the proof of their ownership. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { limit } from "#core/cli/Limit.ts"
import { json } from "#core/cli/Output.ts"
import { yes } from "#core/cli/Sure.ts"

export { mailbox } from "./mailboxes/Commands.ts"

const operator = () => import("./MailDomainOperator.ts")

const changes = () => import("./MailDomainChanges.ts")

const which = Argument.String("domain").pipe(Argument.withDescription("Id or name"))

const list = Command.make(
  "list",
  {
    pending: Flag.Boolean("pending").pipe(
      Flag.withDescription("Only domains whose ownership is not proven yet"),
      Flag.withDefault(false)
    ),
    limit,
    json
  },
  (flags) => lazily(operator, (module) => module.list(flags))
).pipe(Command.withDescription("Lists the mail domains of all tenants, newest first."))

const show = Command.make("show", { which, json }, (flags) => lazily(operator, (module) => module.show(flags))).pipe(
  Command.withDescription("Shows a mail domain, the record that proves its ownership, and its DNS records.")
)

const assert = Command.make("assert", { which, json }, (flags) =>
  lazily(operator, (module) => module.assert(flags))
).pipe(
  Command.withDescription(
    "Accepts without proof in DNS that the tenant owns the domain. The mail server serves the domain from then on."
  ),
  Command.withExamples([
    { command: "signalbox mail-domain list --pending", description: "Domains that wait for proof" },
    { command: "signalbox mail-domain assert example.org", description: "The contract names this customer's domain" }
  ])
)

const create = Command.make(
  "create",
  {
    domain: Argument.String("domain").pipe(Argument.withDescription("Domain, such as example.org")),
    customer: Flag.Int("customer").pipe(Flag.withDescription("Id of the customer to whom it belongs")),
    tenant: Flag.Int("tenant").pipe(
      Flag.withDescription("Number of the tenant; default: that of the customer, or the provider's own"),
      Flag.optional
    ),
    json
  },
  (flags) => lazily(changes, (module) => module.create(flags))
).pipe(
  Command.withDescription("Creates a mail domain with a DKIM key, and lists the DNS records to publish."),
  Command.withExamples([
    { command: "signalbox mail-domain create example.org --customer 5", description: "For the customer 5" }
  ])
)

const remove = Command.make(
  "delete",
  {
    which,
    force: Flag.Boolean("force").pipe(
      Flag.withDescription("Also a domain with mailboxes, together with them"),
      Flag.withDefault(false)
    ),
    yes,
    json
  },
  (flags) => lazily(changes, (module) => module.remove(flags))
).pipe(
  Command.withDescription("Deletes a mail domain with its keys and aliases."),
  Command.withExamples([
    { command: "signalbox mail-domain delete example.org --force --yes", description: "With its mailboxes" }
  ])
)

export const mailDomain = Command.make("mail-domain").pipe(
  Command.withDescription("Mail domains and the proof of their ownership."),
  Command.withSubcommands([list, show, create, assert, remove])
)
