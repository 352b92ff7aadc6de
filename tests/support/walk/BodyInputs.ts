/**
 * Invalid JSON bodies, derived from a valid one: errors of the whole body, and errors in each field of the schema,
 * including the first item of each list. Pure.
 */
import { maxBodySize } from "#core/http/BodyBounds.ts"
import { type BadInput, endless, unstorable } from "./BadInput.ts"
import type { Json } from "./Operations.ts"
import type { Wire } from "./Wire.ts"

export interface BodyInputs {
  readonly inputs: ReadonlyArray<BadInput>
  /** Fields without a test, because the valid body has no value there. */
  readonly untried: ReadonlyArray<string>
}

/** Nesting depth of a body. Unit: levels. Reason: far more than the stack of a recursive parser allows. */
const depth = 100_000

export const bodyInputs = (right: Wire, schema: Json, body: unknown): BodyInputs => {
  const json = "application/json"
  const text = JSON.stringify(body)
  const sent = (name: string, raw: string, more: Partial<BadInput> = {}, type = json): BadInput => ({
    name: `body: ${name}`,
    wire: { ...right, headers: { ...right.headers, "content-type": type }, body: raw },
    ...more
  })
  const allowed = typesOf(schema)
  const wholes = [
    ["null", "null"],
    ["array", "[]"],
    ["string", '"text"'],
    ["number", "7"],
    ["boolean", "true"]
  ] as const
  const over = sent("over the limit", JSON.stringify({ filler: "x".repeat(maxBodySize) }), { status: 413 })
  const whole = [
    sent("malformed", text.slice(0, -1), { status: 400 }),
    sent("two values", `${text}${text}`, { status: 400 }),
    sent("text/plain", text, {}, "text/plain"),
    sent("xml", "<a/>", {}, "application/xml"),
    ...(allowed.has("null") ? [] : [sent("empty", "")]),
    ...wholes.filter(([type]) => !allowed.has(type)).map(([type, raw]) => sent(`${type} instead`, raw)),
    sent("deep lists", "[".repeat(depth) + "]".repeat(depth)),
    over,
    { ...over, name: `${over.name}, its length undeclared`, wire: { ...over.wire, chunked: true } }
  ]

  const untried: Array<string> = []
  const inputs: Array<BadInput> = []
  const visit = (at: Json, value: unknown, path: ReadonlyArray<string | number>, required: boolean): void => {
    const schema = branch(at, value)
    const place = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`)).join("")
    const field = { field: `payload${place}` }
    const put = (name: string, replaced: unknown, more: Partial<BadInput> = field) => {
      inputs.push({ ...sent("", rewritten(body, path, replaced), more), name: `body${place}: ${name}` })
    }
    const last = path.at(-1)
    if (last !== undefined) {
      if (required) put("missing", absent)
      for (const [type, wrong] of wrongTypes(typesOf(at))) put(type, wrong)
      for (const [name, wrong] of wrongValues(schema, value)) put(name, wrong)
      if (typeof last === "string")
        put("twice, the last one wrong", twice(last, value, typesOf(at).has("array") ? true : ["x"]))
      if (!typesOf(at).has("object")) put("deep", new Raw(`${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`))
    }
    if (schema.properties !== undefined && isObject(value)) {
      for (const [name, inner] of Object.entries(schema.properties)) {
        visit(
          inner,
          (value as Record<string, unknown>)[name],
          [...path, name],
          schema.required?.includes(name) ?? false
        )
      }
    } else if (schema.items !== undefined && Array.isArray(value) && value.length > 0) {
      visit(schema.items, value[0], [...path, 0], false)
    } else if (
      (typesOf(at).has("object") && namesFields(at)) ||
      (schema.items !== undefined && schema.items.properties !== undefined)
    ) {
      untried.push(`body${place}`)
    }
  }
  visit(schema, body, [], true)
  return { inputs: [...whole, ...inputs], untried }
}

const absent = Symbol("absent")

/** Raw JSON text, for content that JSON.stringify cannot produce. */
class Raw {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** A field's value followed by the same field again. Parsers use the last one. */
const twice = (name: string, first: unknown, last: unknown) =>
  new Raw(`${JSON.stringify(first ?? null)},${JSON.stringify(name)}:${JSON.stringify(last)}`)

/** Text of the body with a replaced value at `path`. */
const rewritten = (body: unknown, path: ReadonlyArray<string | number>, value: unknown): string => {
  const here = "\u0001here"
  const place = (at: unknown, [first, ...rest]: ReadonlyArray<string | number>): unknown => {
    if (first === undefined) return value instanceof Raw ? here : value
    if (Array.isArray(at)) return at.map((item, index) => (index === first ? place(item, rest) : item))
    const fields = at as Record<string, unknown>
    const { [first]: old, ...others } = fields
    return rest.length === 0 && value === absent ? others : { ...fields, [first]: place(old, rest) }
  }
  const text = JSON.stringify(place(body, path))
  return value instanceof Raw ? text.replace(JSON.stringify(here), () => value.text) : text
}

/** One value of each JSON type that is not in `types`. */
const wrongTypes = (types: ReadonlySet<string>): ReadonlyArray<readonly [string, unknown]> =>
  (
    [
      ["null", null],
      ["boolean", true],
      ["number", 7],
      ["fraction", 7.5],
      ["string", "x"],
      ["array", []],
      ["object", {}]
    ] as const
  )
    .filter(([type]) =>
      type === "fraction" ? !types.has("number") : !types.has(type) && !(type === "number" && types.has("integer"))
    )
    .map(([type, value]) => [`${type} instead`, value])

const wrongValues = (schema: Json, value: unknown): ReadonlyArray<readonly [string, unknown]> => {
  const types = typesOf(schema)
  const found: Array<readonly [string, unknown]> = []
  if (types.has("string")) {
    const good = typeof value === "string" ? value : "x"
    for (const [name, text] of Object.entries(unstorable)) found.push([name, good + text])
    found.push(["too long", "x".repeat((schema.maxLength ?? endless - 1) + 1)])
    if ((schema.minLength ?? 0) > 0) found.push(["empty", ""])
    const picky = schema.enum !== undefined || schema.format !== undefined || schema.pattern !== undefined
    if (picky) found.push(["unknown value", "\u00a7no such value"])
  }
  if (types.has("number") || types.has("integer")) {
    const lowest = schema.minimum ?? schema.exclusiveMinimum
    const highest = schema.maximum ?? schema.exclusiveMaximum
    if (lowest !== undefined) found.push(["too small", lowest - 1])
    if (highest !== undefined && highest < Number.MAX_SAFE_INTEGER) found.push(["too great", highest + 1])
    found.push(["beyond integers", 2 ** 60], ["endless number", new Raw("1e999")], ["great number", 1e308])
  }
  if (types.has("array") && Array.isArray(value)) {
    if (schema.maxItems !== undefined)
      found.push(["too many", Array.from({ length: schema.maxItems + 1 }, () => value[0] ?? null)])
    if ((schema.minItems ?? 0) > 0) found.push(["too few", []])
  }
  return found
}

/** JSON types that a schema allows; `integer` is separate from `number`. An empty schema allows all. */
export const typesOf = (schema: Json): ReadonlySet<string> => {
  const union = schema.anyOf ?? schema.oneOf
  if (union !== undefined) return new Set(union.flatMap((inner) => [...typesOf(inner)]))
  if (schema.type !== undefined) return new Set(typeof schema.type === "string" ? [schema.type] : schema.type)
  if (schema.enum !== undefined) return new Set(schema.enum.map((value) => (value === null ? "null" : typeof value)))
  return new Set(["null", "boolean", "number", "string", "array", "object"])
}

/** The alternative of a union schema that matches the value's type. */
const branch = (schema: Json, value: unknown): Json => {
  const union = schema.anyOf ?? schema.oneOf
  if (union === undefined) return schema
  const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value
  return union.find((inner) => typesOf(inner).has(type)) ?? union[0] ?? {}
}

const namesFields = (schema: Json): boolean =>
  schema.properties !== undefined || (schema.anyOf ?? schema.oneOf ?? []).some(namesFields)
const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value)
