/** `signalbox status component`: manages the components of the database. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { json } from "#core/cli/Output.ts"
import { yes } from "#core/cli/Sure.ts"

const operator = () => import("./Operator.ts")

const id = Argument.String("id").pipe(Argument.withDescription("Id of the component, such as webmail"))
const text = (name: string, description: string) => Flag.String(name).pipe(Flag.withDescription(description))

/** Checks, each at most once; a file has any number. */
const checks = {
  http: text("http", "Check this address, https://example.org/health").pipe(Flag.optional),
  tcp: text("tcp", "Check that this port accepts connections, example.org:25").pipe(Flag.optional),
  tls: text("tls", "Check the certificate of this host, example.org or example.org:993").pipe(Flag.optional),
  dns: text("dns", "Check that this name resolves, example.org, or a type of record: example.org:MX").pipe(
    Flag.optional
  ),
  checksFile: text("checks-file", "JSON file with a list of checks as in SERVICES_FILE, or - for standard input").pipe(
    Flag.optional
  )
}

const list = Command.make("list", { json }, (flags) => lazily(operator, (module) => module.list(flags))).pipe(
  Command.withDescription("Lists the components of the database, oldest first. Does not list those of SERVICES_FILE.")
)

const add = Command.make(
  "add",
  {
    id,
    name: text("name", "Name in German"),
    nameEn: text("name-en", "Name in English"),
    group: text("group", "Group in German; default: none").pipe(Flag.optional),
    groupEn: text("group-en", "Group in English; default: none").pipe(Flag.optional),
    ...checks,
    json
  },
  (flags) => lazily(operator, (module) => module.add(flags))
).pipe(
  Command.withDescription(
    "Adds a component, which is public at once. Without a check only incidents change its status."
  ),
  Command.withExamples([
    {
      command:
        "signalbox status component add shop --name Laden --name-en Shop --http https://shop.example.org/ " +
        "--tls shop.example.org",
      description: "A website and its certificate"
    }
  ])
)

const change = Command.make(
  "change",
  {
    id,
    name: text("name", "Name in German").pipe(Flag.optional),
    nameEn: text("name-en", "Name in English").pipe(Flag.optional),
    group: text("group", "Group in German").pipe(Flag.optional),
    groupEn: text("group-en", "Group in English").pipe(Flag.optional),
    noGroup: Flag.Boolean("no-group").pipe(Flag.withDescription("In no group"), Flag.withDefault(false)),
    ...checks,
    noChecks: Flag.Boolean("no-checks").pipe(
      Flag.withDescription("Only incidents change its status"),
      Flag.withDefault(false)
    ),
    json
  },
  (flags) => lazily(operator, (module) => module.change(flags))
).pipe(
  Command.withDescription("Changes a component; what is not named stays. A check replaces all checks."),
  Command.withExamples([
    {
      command: "signalbox status component change shop --http https://shop.example.org/ping",
      description: "Checks another address"
    }
  ])
)

const remove = Command.make("delete", { id, yes, json }, (flags) =>
  lazily(operator, (module) => module.remove(flags))
).pipe(
  Command.withDescription("Deletes a component. Its incidents stay."),
  Command.withExamples([{ command: "signalbox status component delete shop --yes", description: "Without a question" }])
)

export const component = Command.make("component").pipe(
  Command.withDescription("Components of the status page that are not in SERVICES_FILE."),
  Command.withSubcommands([list, add, change, remove])
)
