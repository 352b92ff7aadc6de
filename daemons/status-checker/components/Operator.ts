/** Implements `signalbox status component …`. */
import { readFileSync } from "node:fs"
import { Effect, Option } from "effect"
import { exitUsage, fail } from "#core/cli/Ending.ts"
import { decodeInput, orNothing, someField, typed } from "#core/cli/Input.ts"
import { print, table } from "#core/cli/Output.ts"
import { sure } from "#core/cli/Sure.ts"
import { type StoredRow, StatusFiles, storedRows, withStatus } from "../status-files/Exports.ts"
import { operator } from "../status/AdminChange.ts"
import { ComponentWish, NewComponent } from "./Api.ts"
import { type CheckFlags, checksOf } from "./CheckFlags.ts"
import * as ComponentChanges from "./ComponentChanges.ts"

interface Checks extends CheckFlags {
  readonly checksFile: Option.Option<string>
}

/** Flags of the fields. */
const flagOf = { name: "--name", name_en: "--name-en", group: "--group", group_en: "--group-en" }

const kinds = ({ checks }: StoredRow): string => checks.map(({ type }) => String(type)).join(" ")

const rows = (found: ReadonlyArray<StoredRow>) =>
  table("No components in the database. Add one: bin/signalbox status component add --help", [
    ["id", "name", "german name", "group", "checks"],
    ...found.map((row) => [row.id, row.name_en, row.name, row.group_en ?? row.group ?? "", kinds(row)])
  ])

export const list = Effect.fnUntraced(function* ({ json }: { readonly json: boolean }) {
  yield* print(json, yield* withStatus(storedRows), rows)
})

/** Checks that were typed, or read from a file; undefined when there are none. */
const checksIn = Effect.fnUntraced(function* ({ checksFile, ...flags }: Checks) {
  const typedChecks = yield* Effect.mapError(Effect.fromResult(checksOf(flags)), (message) => fail(message, exitUsage))
  if (Option.isNone(checksFile)) return typedChecks.length === 0 ? undefined : typedChecks
  const file = checksFile.value
  const text = yield* Effect.try({
    try: () => readFileSync(file === "-" ? 0 : file, "utf8"),
    catch: () => fail(`--checks-file: ${file} cannot be read`)
  })
  const read = yield* Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: () => fail("--checks-file: the file is not JSON", exitUsage)
  })
  if (!Array.isArray(read)) return yield* fail("--checks-file: the file must be a list [ ]", exitUsage)
  return [...typedChecks, ...(read as ReadonlyArray<Readonly<Record<string, unknown>>>)]
})

export const add = Effect.fnUntraced(function* (
  flags: Checks & {
    readonly id: string
    readonly name: string
    readonly nameEn: string
    readonly group: Option.Option<string>
    readonly groupEn: Option.Option<string>
    readonly json: boolean
  }
) {
  const { id, ...wanted } = yield* decodeInput(
    NewComponent,
    typed({
      id: flags.id,
      name: flags.name,
      name_en: flags.nameEn,
      group: flags.group,
      group_en: flags.groupEn,
      checks: (yield* checksIn(flags)) ?? []
    }),
    flagOf
  )
  const made = yield* withStatus(
    Effect.flatMap(StatusFiles, (files) =>
      ComponentChanges.create(
        id,
        wanted,
        new Set(files.components().flatMap((one) => (files.inFile(one.id) ? [one.id] : []))),
        operator
      )
    )
  )
  yield* print(flags.json, made, () => rows([made]))
})

/** The component with this id, or the end of the command. */
const meant = (id: string) =>
  Effect.flatMap(withStatus(storedRows), (found) => {
    const row = found.find((one) => one.id === id)
    return row === undefined
      ? fail(`the database has no component ${id}; \`signalbox status component list\` shows them`)
      : Effect.succeed(row)
  })

export const change = Effect.fnUntraced(function* (
  flags: Checks & {
    readonly id: string
    readonly name: Option.Option<string>
    readonly nameEn: Option.Option<string>
    readonly group: Option.Option<string>
    readonly groupEn: Option.Option<string>
    readonly noGroup: boolean
    readonly noChecks: boolean
    readonly json: boolean
  }
) {
  const checks = yield* checksIn(flags)
  if (flags.noChecks && checks !== undefined)
    return yield* fail("--no-checks excludes all flags that name a check", exitUsage)
  const to = typed({
    name: flags.name,
    name_en: flags.nameEn,
    group: yield* orNothing("group", flags.group, flags.noGroup),
    group_en: flags.noGroup ? Option.some(null) : flags.groupEn,
    ...(flags.noChecks ? { checks: [] } : checks === undefined ? {} : { checks })
  })
  yield* someField(to)
  const { id: _, ...before } = yield* meant(flags.id)
  const wanted = yield* decodeInput(ComponentWish, { ...before, ...to }, flagOf)
  const changed = yield* withStatus(ComponentChanges.change(flags.id, wanted, operator))
  yield* print(flags.json, changed, () => rows([changed]))
})

export const remove = Effect.fnUntraced(function* ({
  id,
  json,
  yes
}: {
  readonly id: string
  readonly yes: boolean
  readonly json: boolean
}) {
  const { name_en } = yield* meant(id)
  yield* sure(
    `The component ${name_en} leaves the status page at once; its incidents stay. Its history is forgotten after 90 ` +
      "days.",
    yes
  )
  yield* withStatus(Effect.flatMap(StatusFiles, (files) => ComponentChanges.remove(id, files.inFile(id), operator)))
  yield* print(json, { id, deleted: true }, () => [`The component ${id} is deleted.`])
})
