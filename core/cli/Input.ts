/** Input of commands, decoded by the schemas of the API's request bodies. */
import { Effect, Option, Schema, SchemaIssue } from "effect"
import { exitUsage, fail } from "./Ending.ts"

export interface FieldProblem {
  /** Path of the field: `payload.number`. */
  readonly field: string
  readonly message: string
}

/** Problems of fields as one line. `named`: what the command calls a field, such as `--number`. Pure. */
export const problemText = (
  problems: ReadonlyArray<FieldProblem>,
  named: Readonly<Record<string, string>> = {}
): string =>
  problems
    .map(({ field, message }) => {
      const path = field.replace(/^payload\.?/, "")
      const name = /^\w+/.exec(path)?.[0] ?? ""
      return `${named[name] ?? path}: ${message}`
    })
    .join("; ")

const formatIssues = SchemaIssue.makeFormatterStandardSchemaV1()

/**
 * Decodes typed input with the schema of a request body. An error ends the command with a sentence for each field.
 * `named`: what the command calls a field, such as `--number`.
 */
export const decodeInput = <S extends Schema.Codec<unknown, unknown>>(
  schema: S,
  typed: unknown,
  named: Readonly<Record<string, string>> = {}
) =>
  Effect.mapError(Schema.decodeUnknownEffect(schema)(typed, { errors: "all" }), ({ issue }) =>
    fail(
      problemText(
        formatIssues(issue).issues.map(({ message, path }) => ({ field: (path ?? []).map(String).join("."), message })),
        named
      ),
      exitUsage
    )
  ) as Effect.Effect<S["Type"], ReturnType<typeof fail>>

/** The fields that were typed, without flags that were left out. Pure. */
export const typed = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      Option.isOption(value) ? (Option.isNone(value) ? [] : [[name, value.value]]) : [[name, value]]
    )
  )

/** A flag that sets a field, and one that empties it; together they are refused. `undefined`: neither was typed. */
export const orNothing = Effect.fnUntraced(function* <A>(name: string, value: Option.Option<A>, isEmptied: boolean) {
  if (isEmptied && Option.isSome(value)) return yield* fail(`--${name} and --no-${name} exclude each other`, exitUsage)
  return isEmptied ? Option.some(null) : (value as Option.Option<A | null>)
})

/** A pair of flags that turns something on or off; both together are refused. */
export const onOrOff = Effect.fnUntraced(function* (on: boolean, off: boolean, names: readonly [string, string]) {
  if (on && off) return yield* fail(`--${names[0]} and --${names[1]} exclude each other`, exitUsage)
  return on || off ? Option.some(on) : Option.none<boolean>()
})

/** Fails unless at least one field was typed. */
export const someField = (fields: object) =>
  Object.keys(fields).length === 0
    ? fail("name at least one thing to change; --help shows what", exitUsage)
    : Effect.void
