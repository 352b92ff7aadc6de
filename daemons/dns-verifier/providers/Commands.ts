/** `signalbox dns-account`: accounts at DNS providers. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { limit } from "#core/cli/Limit.ts"
import { json } from "#core/cli/Output.ts"
import { yes } from "#core/cli/Sure.ts"
import { providerTypes } from "../domain-store/ProviderTypes.ts"

const operator = () => import("./AccountOperator.ts")

const list = Command.make(
  "list",
  {
    tenant: Flag.Int("tenant").pipe(Flag.withDescription("Only of this tenant, by its number"), Flag.optional),
    customer: Flag.Int("customer").pipe(Flag.withDescription("Only of this customer, by its id"), Flag.optional),
    limit,
    json
  },
  (flags) => lazily(operator, (module) => module.list(flags))
).pipe(Command.withDescription("Lists accounts at DNS providers, newest first, without their credentials."))

const types = Command.make("types", { json }, (flags) => lazily(operator, (module) => module.types(flags))).pipe(
  Command.withDescription("Lists the types of providers and the credentials that each needs.")
)

const create = Command.make(
  "create",
  {
    tenant: Flag.Int("tenant").pipe(
      Flag.withDescription("Number of the tenant; the provider's own tenant is 1, the default"),
      Flag.withDefault(1)
    ),
    customer: Flag.Int("customer").pipe(Flag.withDescription("Id of the customer whose zones it has")),
    name: Flag.String("name").pipe(Flag.withDescription("Name that people see")),
    type: Flag.Literals("type", providerTypes).pipe(
      Flag.withDescription("Type of the provider, as `signalbox dns-account types` lists it")
    ),
    credentialsFile: Flag.String("credentials-file").pipe(
      Flag.withDescription("JSON file with the credentials, or - for standard input; default: none"),
      Flag.optional
    ),
    json
  },
  (flags) => lazily(operator, (module) => module.create(flags))
).pipe(
  Command.withDescription("Adds an account. Its credentials are stored in an envelope and never shown again."),
  Command.withExamples([
    {
      command: "signalbox dns-account create --customer 1 --name Hetzner --type provider_a --credentials-file -",
      description: 'Reads {"api_token": "…"} from standard input'
    }
  ])
)

const id = Argument.Int("id").pipe(Argument.withDescription("Id of the account, as in `list`"))

const change = Command.make(
  "change",
  {
    id,
    name: Flag.String("name").pipe(Flag.withDescription("Name that people see"), Flag.optional),
    makeDefault: Flag.Boolean("default").pipe(
      Flag.withDescription("Use it for new domains of the customer, in place of the default of now"),
      Flag.withDefault(false)
    ),
    noDefault: Flag.Boolean("no-default").pipe(
      Flag.withDescription("Do not use it for new domains"),
      Flag.withDefault(false)
    ),
    credentialsFile: Flag.String("credentials-file").pipe(
      Flag.withDescription("JSON file with new credentials, or - for standard input; {} removes them"),
      Flag.optional
    ),
    json
  },
  (flags) => lazily(operator, (module) => module.change(flags))
).pipe(
  Command.withDescription("Changes an account; what is not named stays."),
  Command.withExamples([
    {
      command: "signalbox dns-account change 2 --credentials-file token.json",
      description: "The provider issued a new token"
    }
  ])
)

const remove = Command.make(
  "delete",
  {
    id,
    force: Flag.Boolean("force").pipe(
      Flag.withDescription("Also while domains use it; they then have no account"),
      Flag.withDefault(false)
    ),
    yes,
    json
  },
  (flags) => lazily(operator, (module) => module.remove(flags))
).pipe(
  Command.withDescription("Deletes an account and its credentials. Zones at the provider stay as they are."),
  Command.withExamples([{ command: "signalbox dns-account delete 2 --yes", description: "Without a question" }])
)

export const dnsAccount = Command.make("dns-account").pipe(
  Command.withDescription("Accounts at DNS providers, with which zones are written."),
  Command.withSubcommands([list, types, create, change, remove])
)
