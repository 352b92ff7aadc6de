/** Commands of `signalbox sip` that make and delete extensions, ring groups and DIDs. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { limit } from "#core/cli/Limit.ts"
import { json } from "#core/cli/Output.ts"
import type { DestinationType } from "./Destinations.ts"

const destinationTypes = [
  "extension",
  "ring_group",
  "ivr_menu",
  "voicemail",
  "external"
] as const satisfies ReadonlyArray<DestinationType>

const operator = () => import("./PhoneOperator.ts")

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
const id = Argument.Int("id").pipe(Argument.withDescription("Id, as in the list"))

export const extension = Command.make("extension").pipe(
  Command.withDescription("Extensions: numbers with which phones register."),
  Command.withSubcommands([
    Command.make("list", filters, (flags) => lazily(operator, (module) => module.extensions(flags))).pipe(
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
      (flags) => lazily(operator, (module) => module.createExtension(flags))
    ).pipe(
      Command.withDescription("Creates an extension with a generated password, which the console and devices read."),
      Command.withExamples([
        {
          command: "signalbox sip extension create --domain voice.example.org --number 1001 --name Reception",
          description: "A phone of the provider itself"
        }
      ])
    ),
    Command.make("delete", { id, json }, (flags) => lazily(operator, (module) => module.deleteExtension(flags))).pipe(
      Command.withDescription("Deletes an extension that no number, menu, group or line leads to.")
    )
  ])
)

export const ringGroup = Command.make("ring-group").pipe(
  Command.withDescription("Ring groups: extensions that ring for the same call."),
  Command.withSubcommands([
    Command.make("list", filters, (flags) => lazily(operator, (module) => module.ringGroups(flags))).pipe(
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
        strategy: Flag.Literals("strategy", ["simultaneous", "sequence", "random"]).pipe(
          Flag.withDescription("simultaneous, sequence or random; default: simultaneous"),
          Flag.withDefault("simultaneous" as const)
        ),
        timeout: Flag.Int("timeout").pipe(
          Flag.withDescription("Seconds to ring, of each extension in a sequence; default: 20"),
          Flag.withDefault(20),
          Flag.filter(
            (seconds) => seconds >= 1 && seconds <= 600,
            () => "1 to 600 seconds"
          )
        ),
        extensions: Flag.String("extensions").pipe(
          Flag.withDescription("Numbers of its extensions in ringing order, separated by commas")
        ),
        json
      },
      (flags) => lazily(operator, (module) => module.createRingGroup(flags))
    ).pipe(
      Command.withDescription("Creates a ring group."),
      Command.withExamples([
        {
          command: "signalbox sip ring-group create --name Sales --number 2000 --extensions 1001,1002",
          description: "Both phones ring at once"
        }
      ])
    ),
    Command.make("delete", { id, json }, (flags) => lazily(operator, (module) => module.deleteRingGroup(flags))).pipe(
      Command.withDescription("Deletes a ring group that no number or menu leads to.")
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
  (flags) => lazily(operator, (module) => module.createDid(flags))
).pipe(
  Command.withDescription("Creates a DID, which is assigned to its tenant at once."),
  Command.withExamples([
    {
      command: "signalbox sip create-did --number '030 123456' --name Office --to ring_group --to-id 1",
      description: "Calls of the number reach the ring group"
    }
  ])
)

export const deleteDid = Command.make("delete-did", { id, json }, (flags) =>
  lazily(operator, (module) => module.deleteDid(flags))
).pipe(Command.withDescription("Deletes a DID that no line uses as its caller id."))
