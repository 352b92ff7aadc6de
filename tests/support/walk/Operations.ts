/** Operations of a running daemon, from its `/openapi.json`, and a check for missing cases. Pure, except for `read`. */
import { Effect } from "effect"
import { send } from "./Wire.ts"

/** The parts of a JSON schema that the walks use. */
export interface Json {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly properties?: Readonly<Record<string, Json>>
  readonly required?: ReadonlyArray<string>
  readonly items?: Json
  readonly allOf?: ReadonlyArray<Json>
  readonly anyOf?: ReadonlyArray<Json>
  readonly oneOf?: ReadonlyArray<Json>
  readonly enum?: ReadonlyArray<unknown>
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly minItems?: number
  readonly maxItems?: number
}

export interface Parameter {
  readonly in: "path" | "query" | "header" | "cookie"
  readonly name: string
  readonly required: boolean
  readonly schema: Json
}

export interface Operation {
  /** Method and path template, such as `GET /api/v1/things/{id}`. */
  readonly name: string
  readonly method: string
  readonly template: string
  readonly parameters: ReadonlyArray<Parameter>
  /** Schemas of the body, by content type. */
  readonly bodies: Readonly<Record<string, Json>>
  /** Whether it requires credentials. */
  readonly secured: boolean
}

/** Reads the operations of the daemon at `base`. */
export const read = (base: string): Effect.Effect<ReadonlyArray<Operation>> =>
  Effect.map(
    Effect.promise(() => send(base, { method: "GET", path: "/openapi.json", headers: {} })),
    ({ json }) => operationsOf(json)
  )

const methods = new Set(["get", "post", "put", "patch", "delete"])

/** All operations of an OpenAPI 3.1 document, with resolved references. */
export const operationsOf = (document: any): ReadonlyArray<Operation> =>
  Object.entries<any>(document.paths).flatMap(([template, item]) =>
    Object.entries<any>(item)
      .filter(([method]) => methods.has(method))
      .map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${template}`,
        method: method.toUpperCase(),
        template,
        parameters: (operation.parameters ?? []).map((parameter: any) => ({
          ...parameter,
          schema: resolved(document, parameter.schema)
        })),
        bodies: Object.fromEntries(
          Object.entries<any>(operation.requestBody?.content ?? {}).map(([type, { schema }]) => [
            type,
            resolved(document, schema)
          ])
        ),
        secured: (operation.security ?? document.security ?? []).length > 0
      }))
  )

/** Findings: operations without a case, and cases without an operation. */
export const unpaired = (
  operations: ReadonlyArray<Operation>,
  cases: Readonly<Record<string, unknown>>
): ReadonlyArray<string> => {
  const names = new Set(operations.map(({ name }) => name))
  return [
    ...[...names]
      .filter((name) => !Object.hasOwn(cases, name))
      .map((name) => `${name}: has no case; write one into the daemon's table`),
    ...Object.keys(cases)
      .filter((name) => !names.has(name))
      .map((name) => `${name}: has a case, but /openapi.json knows no such operation`)
  ]
}

/** Resolves `$ref` and merges `allOf`. A recursive schema is cut at its second occurrence: `{}` accepts anything. */
const resolved = (document: any, schema: Json | undefined, above: ReadonlyArray<string> = []): Json => {
  if (schema === undefined) return {}
  if (schema.$ref !== undefined) {
    if (above.includes(schema.$ref)) return {}
    const found = schema.$ref
      .slice(2)
      .split("/")
      .reduce((at, key) => at?.[key.replaceAll("~1", "/").replaceAll("~0", "~")], document)
    return resolved(document, found, [...above, schema.$ref])
  }
  const into = (inner: Json) => resolved(document, inner, above)
  const { allOf, ...rest } = schema
  const whole: Json = Object.assign({}, rest, ...(allOf ?? []).map(into))
  return {
    ...whole,
    ...(whole.items === undefined ? {} : { items: into(whole.items) }),
    ...(whole.anyOf === undefined ? {} : { anyOf: whole.anyOf.map(into) }),
    ...(whole.oneOf === undefined ? {} : { oneOf: whole.oneOf.map(into) }),
    ...(whole.properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(Object.entries(whole.properties).map(([name, inner]) => [name, into(inner)]))
        })
  }
}
