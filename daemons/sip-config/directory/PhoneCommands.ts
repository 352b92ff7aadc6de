/** Commands of `signalbox sip` that make, change and delete extensions, ring groups and DIDs. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { limit } from "#core/cli/Limit.ts"
import { json } from "#core/cli/Output.ts"
import { yes } from "#core/cli/Sure.ts"
import type { DestinationType } from "./Destinations.ts"

const destinationTypes = [
  "extension",
  "ring_group",
  "ivr_menu",
  "voicemail",
  "external"
] as const satisfies ReadonlyArray<DestinationType>

const extensions = () => import("./extensions/ExtensionOperator.ts")
const ringGroups = () => import("./ring-groups/RingGroupOperator.ts")
const dids = () => import("./dids/DidOperator.ts")
const strategies = ["simultaneous", "sequence", "random"] as const

const filters = {
  tenant: Flag.Int("tenant").pipe(Flag.withDescription("Only of this tenant, by its number"), Flag.optional),
  domain: Flag.String("domain").pipe(Flag.withDescription("Only of this SIP domain"), Flag.optional),
  limit,
  json
}

const tenant = Flag.Int("tenant").pipe(
  Flag.withDescription("Number of the tenant; the provider's own tenant is 1, the default"),
  Flag.withDefault(1)
)
const name = Flag.String("name").pipe(Flag.withDescription("Name that people see"))
const newName = name.pipe(Flag.optional)
const timeout = Flag.Int("timeout").pipe(
  Flag.withDescription("Seconds to ring, of each extension in a sequence"),
  Flag.filter(
    (seconds) => seconds >= 1 && seconds <= 600,
    () => "1 to 600 seconds"
  )
)
const listOfExtensions = Flag.String("extensions").pipe(
  Flag.withDescription("Numbers of its extensions in ringing order, separated by commas")
)
const off = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false))
const id = Argument.Int("id").pipe(Argument.withDescription("Id, as in the list"))

export const extension = Command.make("extension").pipe(
  Command.withDescription("Extensions: numbers with which phones register."),
  Command.withSubcommands([
    Command.make("list", filters, (flags) => lazily(extensions, (module) => module.list(flags))).pipe(
      Command.withDescription("Lists extensions, newest first.")
    ),
    Command.make(
      "create",
      {
        tenant,
        domain: Flag.String("domain").pipe(Flag.withDescription("SIP domain, such as voice.example.org")),
        number: Flag.String("number").pipe(Flag.withDescription("Number to dial, such as 1001")),
        name,
        user: Flag.Int("user").pipe(
          Flag.withDescription("Id of the user to whom it belongs; default: nobody"),
          Flag.optional
        ),
        json
      },
      (flags) => lazily(extensions, (module) => module.create(flags))
    ).pipe(
      Command.withDescription("Creates an extension with a generated password, which the console and devices read."),
      Command.withExamples([
        {
          command: "signalbox sip extension create --domain voice.example.org --number 1001 --name Reception",
          description: "A phone of the provider itself"
        }
      ])
    ),
    Command.make(
      "change",
      {
        id,
        number: Flag.String("number").pipe(Flag.withDescription("New number to dial"), Flag.optional),
        name: newName,
        domain: Flag.String("domain").pipe(Flag.withDescription("Another SIP domain"), Flag.optional),
        user: Flag.Int("user").pipe(
          Flag.withDescription("Id of another user; the extension gets a new password when it had a user"),
          Flag.optional
        ),
        noUser: off("no-user", "It belongs to nobody"),
        enable: off("enable", "Phones may register"),
        disable: off("disable", "Phones may not register"),
        json
      },
      (flags) => lazily(extensions, (module) => module.change(flags))
    ).pipe(
      Command.withDescription("Changes an extension; what is not named stays."),
      Command.withExamples([
        { command: "signalbox sip extension change 7 --name Workshop --user 12", description: "Hands it to user 12" }
      ])
    ),
    Command.make("delete", { id, yes, json }, (flags) => lazily(extensions, (module) => module.remove(flags))).pipe(
      Command.withDescription("Deletes an extension that no number, menu, group or line leads to."),
      Command.withExamples([{ command: "signalbox sip extension delete 7 --yes", description: "Without a question" }])
    )
  ])
)

export const ringGroup = Command.make("ring-group").pipe(
  Command.withDescription("Ring groups: extensions that ring for the same call."),
  Command.withSubcommands([
    Command.make("list", filters, (flags) => lazily(ringGroups, (module) => module.list(flags))).pipe(
      Command.withDescription("Lists ring groups, newest first.")
    ),
    Command.make(
      "create",
      {
        tenant,
        domain: Flag.String("domain").pipe(
          Flag.withDescription("SIP domain; default: the tenant's oldest that has the extensions"),
          Flag.optional
        ),
        number: Flag.String("number").pipe(
          Flag.withDescription("Number to dial; default: none, so only numbers and menus lead to it"),
          Flag.optional
        ),
        name,
        strategy: Flag.Literals("strategy", strategies).pipe(
          Flag.withDescription("simultaneous, sequence or random; default: simultaneous"),
          Flag.withDefault("simultaneous" as const)
        ),
        timeout: timeout.pipe(
          Flag.withDescription("Seconds to ring, of each extension in a sequence; default: 20"),
          Flag.withDefault(20)
        ),
        extensions: listOfExtensions,
        json
      },
      (flags) => lazily(ringGroups, (module) => module.create(flags))
    ).pipe(
      Command.withDescription("Creates a ring group."),
      Command.withExamples([
        {
          command: "signalbox sip ring-group create --name Sales --number 2000 --extensions 1001,1002",
          description: "Both phones ring at once"
        }
      ])
    ),
    Command.make(
      "change",
      {
        id,
        domain: Flag.String("domain").pipe(Flag.withDescription("Another SIP domain"), Flag.optional),
        number: Flag.String("number").pipe(Flag.withDescription("New number to dial"), Flag.optional),
        noNumber: off("no-number", "Only numbers and menus lead to it"),
        name: newName,
        strategy: Flag.Literals("strategy", strategies).pipe(
          Flag.withDescription("simultaneous, sequence or random"),
          Flag.optional
        ),
        timeout: timeout.pipe(Flag.optional),
        extensions: listOfExtensions.pipe(Flag.optional),
        json
      },
      (flags) => lazily(ringGroups, (module) => module.change(flags))
    ).pipe(
      Command.withDescription("Changes a ring group; what is not named stays. --extensions replaces all."),
      Command.withExamples([
        {
          command: "signalbox sip ring-group change 3 --strategy sequence --extensions 1002,1001",
          description: "1002 rings first"
        }
      ])
    ),
    Command.make("delete", { id, yes, json }, (flags) => lazily(ringGroups, (module) => module.remove(flags))).pipe(
      Command.withDescription("Deletes a ring group that no number or menu leads to."),
      Command.withExamples([{ command: "signalbox sip ring-group delete 3 --yes", description: "Without a question" }])
    )
  ])
)

export const createDid = Command.make(
  "create-did",
  {
    tenant,
    number: Flag.String("number").pipe(Flag.withDescription("Telephone number in any spelling")),
    name,
    trunk: Flag.Int("trunk").pipe(
      Flag.withDescription("Id of the trunk from which its calls arrive; default: any"),
      Flag.optional
    ),
    to: Flag.Literals("to", destinationTypes).pipe(
      Flag.withDescription(`What its calls reach: ${destinationTypes.join(", ")}`)
    ),
    toId: Flag.Int("to-id").pipe(Flag.withDescription("Id of what its calls reach")),
    json
  },
  (flags) => lazily(dids, (module) => module.create(flags))
).pipe(
  Command.withDescription("Creates a DID, which is assigned to its tenant at once."),
  Command.withExamples([
    {
      command: "signalbox sip create-did --number '030 123456' --name Office --to ring_group --to-id 1",
      description: "Calls of the number reach the ring group"
    }
  ])
)

export const changeDid = Command.make(
  "change-did",
  {
    id,
    number: Flag.String("number").pipe(Flag.withDescription("New telephone number in any spelling"), Flag.optional),
    name: newName,
    trunk: Flag.Int("trunk").pipe(Flag.withDescription("Id of the trunk from which its calls arrive"), Flag.optional),
    noTrunk: off("no-trunk", "Its calls may arrive from any trunk"),
    to: Flag.Literals("to", destinationTypes).pipe(
      Flag.withDescription(`What its calls reach: ${destinationTypes.join(", ")}`),
      Flag.optional
    ),
    toId: Flag.Int("to-id").pipe(Flag.withDescription("Id of what its calls reach"), Flag.optional),
    json
  },
  (flags) => lazily(dids, (module) => module.change(flags))
).pipe(
  Command.withDescription("Changes a DID or where it leads; what is not named stays."),
  Command.withExamples([
    { command: "signalbox sip change-did 4 --to extension --to-id 7", description: "Calls reach the extension" }
  ])
)

export const deleteDid = Command.make("delete-did", { id, yes, json }, (flags) =>
  lazily(dids, (module) => module.remove(flags))
).pipe(
  Command.withDescription("Deletes a DID that no line uses as its caller id."),
  Command.withExamples([{ command: "signalbox sip delete-did 4 --yes", description: "Without a question" }])
)
