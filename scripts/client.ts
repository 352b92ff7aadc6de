/** `npm run client`: writes client/Operations.ts, the types of the package signalbox-client, from the API document. */
import { OpenApi } from "effect/http-api"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { merge } from "../core/gateway/MergedApi.ts"
import { top } from "../core/http/Api.ts"
import { daemons } from "../daemons/Suite.ts"

/** A part of a JSON document. */
type Json = Readonly<Record<string, any>>

const nameOf = (reference: string): string => reference.replace("#/components/schemas/", "").replace(/\W/g, "_")
const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))
const union = (types: ReadonlyArray<string>): string => [...new Set(types)].join(" | ")

/** Words for numbers that JSON lacks. No answer has them. */
const isNoNumber = (schema: Json): boolean => Array.isArray(schema["enum"]) && schema["enum"].includes("Infinity")

/** The TypeScript type of a schema. */
export const typeOf = (schema: Json | boolean | undefined): string => {
  if (schema === undefined || typeof schema === "boolean") return "unknown"
  if (typeof schema["$ref"] === "string") return nameOf(schema["$ref"])
  if ("const" in schema) return JSON.stringify(schema["const"])
  if (Array.isArray(schema["enum"])) return union(schema["enum"].map((one: unknown) => JSON.stringify(one)))
  const alternatives = schema["anyOf"] ?? schema["oneOf"]
  if (Array.isArray(alternatives))
    return union(alternatives.filter((one: Json) => !isNoNumber(one)).map((one: Json) => `(${typeOf(one)})`))
  if (Array.isArray(schema["type"]))
    return union(schema["type"].map((type: string) => `(${typeOf({ ...schema, type })})`))
  switch (schema["type"]) {
    case "string":
      return "string"
    case "number":
    case "integer":
      return "number"
    case "boolean":
      return "boolean"
    case "null":
      return "null"
    case "array":
      return `ReadonlyArray<${typeOf(schema["items"])}>`
    case "object":
      return objectOf(schema)
    default:
      return Array.isArray(schema["allOf"]) && schema["allOf"].length === 1 ? typeOf(schema["allOf"][0]) : "unknown"
  }
}

const objectOf = (schema: Json): string => {
  const required = new Set<string>(schema["required"] ?? [])
  const fields = Object.entries<Json>(schema["properties"] ?? {}).map(
    ([name, field]) => `readonly ${key(name)}${required.has(name) ? "" : "?"}: ${typeOf(field)}`
  )
  if (fields.length > 0) return `{ ${fields.join("; ")} }`
  const more = schema["additionalProperties"]
  return `Readonly<Record<string, ${typeof more === "object" ? typeOf(more) : "unknown"}>>`
}

/** Type of a body: JSON as its schema, other bodies as bytes or text. */
const contentOf = (content: Json | undefined): string | undefined => {
  const entries = Object.entries<Json>(content ?? {})
  if (entries.length === 0) return undefined
  return union(
    entries.map(([type, { schema }]) => (/json/.test(type) ? typeOf(schema) : "string | Uint8Array<ArrayBuffer>"))
  )
}

/** Type of a parameter. The document has the form on the wire, in which numbers are texts. */
const parameterOf = (schema: Json | undefined): string => {
  const type = typeOf(schema)
  return type === "string" ? "string | number | boolean" : type
}

const fieldsOf = (parameters: ReadonlyArray<Json>, place: string): ReadonlyArray<string> =>
  parameters
    .filter((one) => one["in"] === place)
    .map(({ name, required, schema }) => `readonly ${key(name)}${required === true ? "" : "?"}: ${parameterOf(schema)}`)

/** One operation: its input by place, and its answer. A place without required fields is optional. */
const operationOf = (one: Json): string => {
  const parameters: ReadonlyArray<Json> = one["parameters"] ?? []
  const places = (["path", "query", "header"] as const).flatMap((place) => {
    const fields = fieldsOf(parameters, place)
    if (fields.length === 0) return []
    const needed = parameters.some((parameter) => parameter["in"] === place && parameter["required"] === true)
    return [`readonly ${place}${needed ? "" : "?"}: { ${fields.join("; ")} }`]
  })
  const body = contentOf(one["requestBody"]?.["content"])
  const answers = Object.entries<Json>(one["responses"] ?? {}).filter(([status]) => status.startsWith("2"))
  const answer = union(answers.map(([, { content }]) => contentOf(content) ?? "undefined"))
  const input = [...places, ...(body === undefined ? [] : [`readonly body: ${body}`])]
  return `{ readonly input: { ${input.join("; ")} }; readonly answer: ${answer === "" ? "undefined" : answer} }`
}

/** Example of a call: the required parameters and the body of the document. Undefined: nothing is required. */
const callOf = (id: string, one: Json): string | undefined => {
  const parameters: ReadonlyArray<Json> = one["parameters"] ?? []
  const places = (["path", "query", "header"] as const).flatMap((place) => {
    const needed = parameters.filter((parameter) => parameter["in"] === place && parameter["required"] === true)
    if (needed.length === 0) return []
    return [[place, Object.fromEntries(needed.map(({ example, name }) => [name, example]))] as const]
  })
  const bodies = Object.entries<Json>(one["requestBody"]?.["content"] ?? {})
  const body = (bodies.find(([type]) => type.includes("json")) ?? bodies[0])?.[1]["example"]
  if (places.length === 0 && body === undefined) return undefined
  const input = Object.fromEntries([...places, ...(body === undefined ? [] : [["body", body] as const])])
  return `await signalbox(${JSON.stringify(id)}, ${JSON.stringify(input, null, 2)})`
}

/** Comment of an operation: its summary and an example. */
const comment = (id: string, one: Json): string => {
  const lines = [String(one["summary"] ?? id)]
  const call = callOf(id, one)
  if (call !== undefined) lines.push("", "@example", ...call.split("\n"))
  const safe = lines.map((line) => line.replaceAll("*/", "* /"))
  if (safe.length === 1) return `  /** ${safe[0]} */`
  return ["  /**", ...safe.map((line) => `   * ${line}`.trimEnd()), "   */"].join("\n")
}

/** The generated file of a document. */
export const source = (document: Json): string => {
  const operations = Object.entries<Json>(document["paths"]).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, one]) => ({ id: String(one["operationId"]), method, one, path }))
  )
  const schemas = Object.entries<Json>(document["components"]?.["schemas"] ?? {})
  const types = operations.map(
    ({ id, one }) => `${comment(id, one)}\n  readonly ${JSON.stringify(id)}: ${operationOf(one)}`
  )
  const places = operations.map(
    ({ id, method, path }) =>
      `  ${JSON.stringify(id)}: [${JSON.stringify(method.toUpperCase())}, ${JSON.stringify(path)}]`
  )
  return `/** Operations of Signalbox ${document["info"].version}. Written by \`npm run client\`; do not edit. */
/* eslint-disable */
${schemas.map(([name, schema]) => `export type ${nameOf(name)} = ${typeOf(schema)}`).join("\n")}

export interface Operations {
${types.join("\n")}
}

/** Method and path of each operation. */
export const operations: { readonly [Name in keyof Operations]: readonly [method: string, path: string] } = {
${places.join(",\n")}
}
`
}

/** The file for all daemons behind the gateway. */
export const generated = (): string =>
  source(OpenApi.fromApi(top(merge(daemons.filter(({ ownPort }) => !ownPort)))) as Json)

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  writeFileSync(join(import.meta.dirname, "../client/Operations.ts"), generated())
