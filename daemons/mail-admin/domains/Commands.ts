/**
 * `signalbox mail-domain`: shows mail domains, and accepts those whose owner the provider knows. `signalbox mailbox`:
 * lists and creates mailboxes.
 */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { limit } from "#core/cli/Limit.ts"
import { json } from "#core/cli/Output.ts"

const operator = () => import("./MailDomainOperator.ts")

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

export const mailDomain = Command.make("mail-domain").pipe(
  Command.withDescription("Mail domains and the proof of their ownership."),
  Command.withSubcommands([list, show, assert])
)

const mailboxes = () => import("./mailboxes/MailboxOperator.ts")

export const mailbox = Command.make("mailbox").pipe(
  Command.withDescription("Mailboxes of mail domains."),
  Command.withSubcommands([
    Command.make("list", { which, limit, json }, (flags) => lazily(mailboxes, (module) => module.list(flags))).pipe(
      Command.withDescription("Lists the mailboxes of a domain, newest first.")
    ),
    Command.make(
      "create",
      {
        address: Argument.String("address").pipe(Argument.withDescription("Address, such as anna@example.org")),
        quota: Flag.Int("quota").pipe(
          Flag.withDescription("Largest size in MiB; default: no limit"),
          Flag.filter(
            (size) => size > 0,
            () => "at least 1 MiB"
          ),
          Flag.optional
        ),
        user: Flag.Int("user").pipe(
          Flag.withDescription("Id of the user who reads it; default: the user with this address"),
          Flag.optional
        ),
        json
      },
      (flags) => lazily(mailboxes, (module) => module.create(flags))
    ).pipe(
      Command.withDescription("Creates a mailbox in an existing domain, and prints its password this one time."),
      Command.withExamples([
        { command: "signalbox mailbox create anna@example.org --quota 5000", description: "With at most 5,000 MiB" }
      ])
    )
  ])
)
