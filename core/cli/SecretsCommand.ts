/** `signalbox secrets`: manages the keys that encrypt stored secrets. */
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { fail } from "./Ending.ts"
import { all, lazily } from "./Fleet.ts"
import { columns, json, print } from "./Output.ts"

const rotate = Command.make(
  "rotate",
  {
    resume: Flag.Boolean("resume").pipe(
      Flag.withDescription("Add no key; only seal the secrets that an interrupted rotation left"),
      Flag.withDefault(false)
    ),
    json
  },
  Effect.fnUntraced(function* (flags) {
    const daemons = yield* all
    const sealed = daemons.flatMap((daemon) => daemon.sealed)
    const rotated = yield* lazily(
      () => import("./Rotate.ts"),
      ({ rotateAll }) => rotateAll(sealed, !flags.resume)
    )
    const unreadable = rotated.columns.flatMap((column) => column.unreadable)
    yield* print(flags.json, rotated, () => [
      flags.resume
        ? `Key ${rotated.key} rules.`
        : `Key ${rotated.key} is the new current key; older keys stay in the file for backups.`,
      ...columns(
        rotated.columns.map((column) => [
          `${column.table}.${column.column}`,
          `${column.resealed} sealed again`,
          column.unreadable.length === 0
            ? ""
            : `${column.unreadable.length} unreadable: ${column.unreadable.map((row) => row.id).join(", ")}`
        ])
      )
    ])
    if (unreadable.length > 0) {
      const secrets = unreadable.length === 1 ? "1 secret" : `${unreadable.length} secrets`
      return yield* fail(`no key of the file decrypts ${secrets}: ${unreadable[0]!.problem}`)
    }
  })
).pipe(
  Command.withDescription(
    "Adds a new key at the top of the key file and seals every stored secret with it. " +
      "Running daemons load the key without a restart. `--resume` continues an interrupted rotation."
  )
)

export const secrets = Command.make("secrets").pipe(
  Command.withDescription("Manages the keys of stored secrets."),
  Command.withSubcommands([rotate])
)
