/**
 * Whether a value satisfies a schema of an API document. Knows the keywords that our documents use for scalars and
 * lists; the fields of objects are not compared. Pure. Source: JSON Schema 2020-12, Validation.
 */

/** A part of a JSON document. */
export type Json = Readonly<Record<string, unknown>>

/** Schemas by name, for references. */
export type Schemas = Readonly<Record<string, Json>>

/** The schema behind a reference, or the schema itself. */
export const resolved = (schema: Json, schemas: Schemas): Json => {
  const name = nameOf(schema)
  return name === undefined ? schema : (schemas[name] ?? {})
}

/** Name of the schema that a reference refers to. */
export const nameOf = (schema: Json): string | undefined =>
  /^#\/components\/schemas\/(.+)$/.exec(String(schema["$ref"] ?? ""))?.[1]

/** Schemas in a list keyword such as `anyOf`; undefined when the keyword is absent. */
export const listOf = (schema: Json, keyword: string): ReadonlyArray<Json> | undefined =>
  Array.isArray(schema[keyword]) ? (schema[keyword] as ReadonlyArray<Json>) : undefined

const typesOf = (schema: Json): ReadonlyArray<string> | undefined => {
  const type = schema["type"]
  return Array.isArray(type) ? type : typeof type === "string" ? [type] : undefined
}

const isType = (value: unknown, type: string): boolean => {
  if (type === "null") return value === null
  if (type === "array") return Array.isArray(value)
  if (type === "integer") return Number.isInteger(value)
  if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value)
  return typeof value === type
}

const bound = (schema: Json, keyword: string, otherwise: number): number => {
  const value = schema[keyword]
  return typeof value === "number" ? value : otherwise
}

/** Forms of the formats that an example could miss. Source: RFC 9562, RFC 3339. */
const formats: Readonly<Record<string, RegExp>> = {
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  date: /^\d{4}-\d\d-\d\d$/,
  "date-time": /^\d{4}-\d\d-\d\dT/
}

const textFits = (text: string, schema: Json): boolean =>
  formats[String(schema["format"])]?.test(text) !== false &&
  text.length >= bound(schema, "minLength", 0) &&
  text.length <= bound(schema, "maxLength", Infinity) &&
  (typeof schema["pattern"] !== "string" || new RegExp(schema["pattern"], "u").test(text))

const numberFits = (value: number, schema: Json): boolean =>
  value >= bound(schema, "minimum", -Infinity) &&
  value <= bound(schema, "maximum", Infinity) &&
  value > bound(schema, "exclusiveMinimum", -Infinity) &&
  value < bound(schema, "exclusiveMaximum", Infinity) &&
  Number.isInteger(value / bound(schema, "multipleOf", value === 0 ? 1 : value))

const listFits = (list: ReadonlyArray<unknown>, schema: Json, schemas: Schemas): boolean =>
  list.length >= bound(schema, "minItems", 0) &&
  list.length <= bound(schema, "maxItems", Infinity) &&
  list.every((item) => fits(item, (schema["items"] ?? {}) as Json, schemas))

/** Whether `value` satisfies `schema`. */
export const fits = (value: unknown, schema: Json, schemas: Schemas): boolean => {
  const found = resolved(schema, schemas)
  if ("const" in found && found["const"] !== value) return false
  if (Array.isArray(found["enum"]) && !found["enum"].includes(value)) return false
  const types = typesOf(found)
  if (types !== undefined && !types.some((type) => isType(value, type))) return false
  const alternatives = listOf(found, "anyOf") ?? listOf(found, "oneOf")
  if (alternatives !== undefined && !alternatives.some((one) => fits(value, one, schemas))) return false
  if (!(listOf(found, "allOf") ?? []).every((one) => fits(value, one, schemas))) return false
  if (typeof value === "string") return textFits(value, found)
  if (typeof value === "number") return numberFits(value, found)
  return !Array.isArray(value) || listFits(value, found, schemas)
}
