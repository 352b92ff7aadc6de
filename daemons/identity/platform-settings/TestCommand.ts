/** `signalbox settings test`: tries the settings of a group. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { json } from "#core/cli/Output.ts"
import { tested } from "./tests/Tested.ts"

const operator = () => import("./Operator.ts")

export const settingsTest = Command.make(
  "test",
  {
    group: Argument.Literals("group", tested).pipe(Argument.withDescription(tested.join(", "))),
    to: Flag.String("to").pipe(
      Flag.withDescription("Chat that gets a message, recipient of a mail, or name that resolvers are asked for"),
      Flag.optional
    ),
    set: Flag.String("set").pipe(
      Flag.withDescription("NAME=VALUE that is tried in place of the stored value and not stored; may be repeated"),
      Flag.atLeast(0)
    ),
    json
  },
  (flags) => lazily(operator, (module) => module.test(flags))
).pipe(
  Command.withDescription("Really tries the settings of a group from this machine; exit status 0 only when all works."),
  Command.withExamples([
    { command: "signalbox settings test relay --to boss@example.org", description: "Send a mail by each relay" }
  ])
)
