/**
 * Example values for the schemas of an API document. A value comes from the schema itself (`examples`, `const`,
 * `enum`), else from the name of the field (ExampleValues.ts), else from format and type. Objects have all their
 * fields, lists one item, and a shape that contains itself ends at its second occurrence. Pure.
 */
import { fits, type Json, listOf, nameOf, resolved, type Schemas } from "./ExampleFit.ts"
import { bodyText, formatValues, plainTexts } from "./ExampleTexts.ts"
import { valuesOf } from "./ExampleValues.ts"
import { contentType as problemType } from "./Problem.ts"

/** Where a schema stands. */
interface Place {
  readonly schemas: Schemas
  /** Name of the field; of the list's field for an item. */
  readonly name: string
  /** What the field belongs to, nearest first: names of schemas, and the last word of the operation's path. */
  readonly owners: ReadonlyArray<string>
  /** Names of the schemas around this one. */
  readonly around: ReadonlySet<string>
}

/**
 * An example for a schema. `name`: of the field or parameter. `owner`: what it belongs to, such as `users`. Undefined:
 * only shapes without end satisfy the schema.
 */
export const exampleOf = (schema: Json, schemas: Schemas, name = "", owner = ""): unknown =>
  build(schema, { schemas, name, owners: [owner], around: new Set() })

/** Words that stand for numbers without a JSON form. No example has them. */
const isNoNumber = (schema: Json): boolean => Array.isArray(schema["enum"]) && schema["enum"].includes("Infinity")

const build = (schema: Json, place: Place): unknown => {
  const name = nameOf(schema)
  if (name === undefined) return value(schema, place)
  if (place.around.has(name)) return undefined
  const inside = { around: new Set([...place.around, name]), owners: [name, ...place.owners] }
  return value(resolved(schema, place.schemas), { ...place, ...inside })
}

const value = (schema: Json, place: Place): unknown => {
  const given = listOf(schema, "examples")
  if (given !== undefined && given.length > 0) return given[0]
  if ("const" in schema) return schema["const"]
  const named = valuesOf(place.name, place.owners).find((one) => fits(one, schema, place.schemas))
  if (named !== undefined) return named
  if (Array.isArray(schema["enum"])) return schema["enum"][0]
  const alternatives = listOf(schema, "anyOf") ?? listOf(schema, "oneOf")
  if (alternatives !== undefined) return firstOf(alternatives, place)
  const parts = listOf(schema, "allOf")
  if (parts !== undefined) return value(merged(schema, parts, place.schemas), place)
  const type = Array.isArray(schema["type"]) ? schema["type"].find((one) => one !== "null") : schema["type"]
  if (type === "object") return objectOf(schema, place)
  if (type === "array") return arrayOf(schema, place)
  if (type === "string") return textOf(schema, place)
  if (type === "integer" || type === "number") return numberOf(schema, place)
  if (type === "boolean") return true
  return type === "null" ? null : plainTexts[0]
}

/** The first alternative with an example; null only when nothing else is allowed. */
const firstOf = (alternatives: ReadonlyArray<Json>, place: Place): unknown => {
  const made = alternatives.filter((one) => !isNoNumber(one)).map((one) => build(one, place))
  return made.find((one) => one !== undefined && one !== null) ?? made.find((one) => one !== undefined)
}

/** One schema with the keywords of all parts. Of a keyword in two parts the later one wins. */
const merged = (schema: Json, parts: ReadonlyArray<Json>, schemas: Schemas): Json => {
  const { allOf: _, ...own } = schema
  return parts.reduce<Json>((all, part) => {
    const found = resolved(part, schemas)
    return {
      ...all,
      ...found,
      ...("properties" in all || "properties" in found
        ? { properties: { ...(all["properties"] as Json), ...(found["properties"] as Json) } }
        : {}),
      ...("required" in all || "required" in found
        ? { required: [...(listOf(all, "required") ?? []), ...(listOf(found, "required") ?? [])] }
        : {})
    }
  }, own)
}

const objectOf = (schema: Json, place: Place): unknown => {
  const required = new Set(listOf(schema, "required") as ReadonlyArray<unknown> | undefined)
  const fields: Record<string, unknown> = {}
  for (const [name, field] of Object.entries((schema["properties"] ?? {}) as Schemas)) {
    const example = build(field, { ...place, name })
    if (example !== undefined) fields[name] = example
    else if (required.has(name)) return undefined
  }
  const more = schema["additionalProperties"]
  if ("properties" in schema || typeof more !== "object" || more === null) return fields
  const key = textOf((schema["propertyNames"] ?? {}) as Json, { ...place, name: "key" })
  const example = build(more as Json, place)
  return example === undefined ? fields : { [String(key)]: example }
}

const arrayOf = (schema: Json, place: Place): ReadonlyArray<unknown> => {
  const first = listOf(schema, "prefixItems")
  if (first !== undefined) return first.map((one) => build(one, place))
  const item = build((schema["items"] ?? {}) as Json, { ...place, name: place.name.replace(/s$/, "") })
  if (item === undefined) return []
  const least = typeof schema["minItems"] === "number" ? schema["minItems"] : 1
  return Array.from({ length: Math.max(1, least) }, () => item)
}

const textOf = (schema: Json, { schemas }: Place): string => {
  const format = formatValues[String(schema["format"])]
  const found = [...(format === undefined ? [] : [format]), ...plainTexts].find((one) => fits(one, schema, schemas))
  const least = typeof schema["minLength"] === "number" ? schema["minLength"] : 0
  return found ?? plainTexts[0]!.repeat(Math.ceil(Math.max(least, 1) / plainTexts[0]!.length))
}

const numberOf = (schema: Json, { schemas }: Place): number => {
  const bounds = ["minimum", "maximum", "multipleOf"].map((keyword) => schema[keyword])
  const candidates = [1, 10, 0.5, ...bounds.filter((one) => typeof one === "number"), 0]
  return candidates.find((one) => fits(one, schema, schemas)) ?? 1
}

/** A body by media type, as in `content` of a request or an answer. */
type Content = Readonly<Record<string, Json>>

/** `content` with an example at each media type whose bodies are JSON, a form or text. Bytes have none. */
const filled = (content: Content, schemas: Schemas, owner: string, own: unknown): Content =>
  Object.fromEntries(
    Object.entries(content).map(([type, media]) => {
      const schema = (media["schema"] ?? {}) as Json
      const isBytes = schema["format"] === "binary" || "contentEncoding" in schema
      const example = own ?? bodyText(type) ?? (isBytes ? undefined : exampleOf(schema, schemas, "", owner))
      return [type, example === undefined ? media : { ...media, example }]
    })
  )

/**
 * An operation of a document with examples of its parameters, its body and its answers, except for problems
 * (ProblemExamples.ts). `path`: with parameters as `{id}`. `own`: the body, where the schemas do not describe a
 * sensible one.
 */
export const withExamples = (operation: Json, path: string, schemas: Schemas, own?: unknown): Json => {
  const owner = /([^/{}]+)(?:\/\{\w+\})*$/.exec(path)?.[1] ?? ""
  const ofBody = (part: Json, given?: unknown): Json =>
    part["content"] === undefined
      ? part
      : { ...part, content: filled(part["content"] as Content, schemas, owner, given) }
  const { parameters, requestBody, responses } = operation
  const shown: Record<string, unknown> = {}
  if (Array.isArray(parameters))
    shown["parameters"] = (parameters as ReadonlyArray<Json>).map((one) => {
      const name = String(one["name"])
      const before = new RegExp(`([^/]+)/\\{${name}\\}`).exec(path)?.[1]
      return { ...one, example: exampleOf((one["schema"] ?? {}) as Json, schemas, name, before ?? owner) }
    })
  if (requestBody !== undefined) shown["requestBody"] = ofBody(requestBody as Json, own)
  if (responses !== undefined)
    shown["responses"] = Object.fromEntries(
      Object.entries(responses as Schemas).map(([status, answer]) => [
        status,
        problemType in ((answer["content"] ?? {}) as Content) ? answer : ofBody(answer)
      ])
    )
  return { ...operation, ...shown }
}
