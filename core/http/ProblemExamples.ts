/**
 * Examples of problems in API documents. Each problem has one, among the components of the document, and the operations
 * that may answer with it refer to it. Type, status, title and code come from the declaration of the problem. Pure.
 */
import { exampleOf } from "./Examples.ts"
import { type Json, listOf, nameOf, type Schemas } from "./ExampleFit.ts"
import { contentType } from "./Problem.ts"

/** Members of some problems, by code: where the names of the fields do not lead to sensible values. */
const own: Readonly<Record<string, Json>> = {
  invalid_request: { errors: [{ field: "payload.email", message: "Missing key" }] },
  not_configured: { settings: ["SIGNALBOX_NOTICE_SMTP_URL"] },
  unavailable: { detail: "The database does not answer." }
}

/** The only value of a field of a problem; undefined: it may have several, or there is no such field. */
const fixed = (schema: Json, field: string): unknown => {
  const { [field]: found } = (schema["properties"] ?? {}) as Schemas
  return (found?.["enum"] as ReadonlyArray<unknown> | undefined)?.[0] ?? found?.["const"]
}

/** Examples of all problems among the schemas of a document, by name of the schema. */
export const problemExamples = (schemas: Schemas): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    Object.entries(schemas).flatMap(([name, schema]) => {
      const [type, status, title, code] = ["type", "status", "title", "code"].map((field) => fixed(schema, field))
      if (!String(type).startsWith("urn:signalbox:problem:")) return []
      const made = exampleOf({ $ref: `#/components/schemas/${name}` }, schemas) as Json
      // A detail that fits no problem in particular would mislead, and no problem of ours has an instance.
      const { detail: _detail, instance: _instance, ...rest } = made
      return [[name, { summary: title, value: { ...rest, type, status, title, code, ...own[String(code)] } }]]
    })
  )

/** An answer of an operation with references to the examples of its problems. `known`: names of those that exist. */
export const withProblems = (answer: Json, known: ReadonlySet<string>): Json => {
  const content = answer["content"] as Schemas | undefined
  const media = content?.[contentType]
  if (media === undefined) return answer
  const schema = (media["schema"] ?? {}) as Json
  const names = (listOf(schema, "anyOf") ?? [schema]).flatMap((one) => nameOf(one) ?? [])
  const examples = Object.fromEntries(
    names.filter((name) => known.has(name)).map((name) => [name, { $ref: `#/components/examples/${name}` }])
  )
  return { ...answer, content: { ...content, [contentType]: { ...media, examples } } }
}
