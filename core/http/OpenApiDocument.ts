/**
 * Completes a generated OpenAPI document: server, how to authenticate, names of schemas without technical
 * suffixes, descriptions of parameters that many operations share, and examples. Pure.
 */
import { maxPage } from "./Paging.ts"
import { rememberedHours } from "./Idempotency.ts"
import { withExamples } from "./Examples.ts"
import { operationExamples } from "./OperationExamples.ts"
import { type Access, keyOf, wordsOf } from "./OperationTexts.ts"
import { problemExamples, withProblems } from "./ProblemExamples.ts"

/** A part of a JSON document. */
type Json = Record<string, unknown>

/** How programs and people authenticate, in the document's description and at each scheme. */
const schemes: Readonly<Record<string, string>> = {
  user:
    "Access token of a person: `POST /api/v1/auth/login` answers with one. It holds for a few minutes; " +
    "`POST /api/v1/auth/refresh` answers with a new one.",
  service:
    "Token of a program: `POST /api/v1/service-tokens`, or `signalbox token create`. It has the permissions that it " +
    "was created with.",
  basic: "User name and password, where servers that query us can send nothing else."
}

const authentication = [
  "## How to authenticate",
  "",
  "Every operation names its schemes and, in its description, the permission that it needs.",
  "",
  `- **Bearer token.** ${schemes["user"]}`,
  `- **Service token.** Header \`X-Service-Token\`. ${schemes["service"]}`,
  `- **Basic.** ${schemes["basic"]}`,
  "",
  "Errors are problem details (RFC 9457, `application/problem+json`); programs rely on `code`."
].join("\n")

/** Descriptions of parameters by name. An operation's own description wins. */
const parameters: Readonly<Record<string, string>> = {
  id: "Identifier of the resource.",
  uuid: "Identifier of the resource, a UUID.",
  tenant_id: "Only of this tenant; for callers that see every tenant.",
  customer_id: "Only of this customer.",
  limit: `Most items of the page, 1 to ${maxPage}.`,
  before: "Value of `next_before` of the page before; without it the first page.",
  page: "Number of the page, from 1.",
  per_page: "Items of a page.",
  "idempotency-key":
    `A text of the caller's choice. The same key and body within ${rememberedHours} hours return the first answer ` +
    "instead of creating again.",
  q: "Text to search for.",
  lang: "Language of the answer, `de` or `en`; without it the language of the account, else `Accept-Language`.",
  since: "Only what happened at this moment or later (ISO 8601).",
  until: "Only what happened before this moment (ISO 8601).",
  state: "Only in this state.",
  status: "Only with this status.",
  kind: "Only of this kind.",
  force: "Also where it is refused otherwise."
}

/** Suffix that the generator gives to the encoded form of a class, with the number of a repeated name. */
const encodedName = /^(.+?)Encoded(_\d+)?$/
const reference = /^#\/components\/schemas\/(.+)$/

/** Bounds of a safe integer say nothing that `integer` does not say. */
const isNoBound = (key: string, value: unknown): boolean =>
  (key === "minimum" && value === Number.MIN_SAFE_INTEGER) || (key === "maximum" && value === Number.MAX_SAFE_INTEGER)

/** Names of schemas in the document by generated name; a name that is in use already keeps its suffix. */
const namesOf = (generated: ReadonlyArray<string>): ReadonlyMap<string, string> => {
  const used = new Set(generated.filter((name) => !encodedName.test(name)))
  return new Map(
    generated.map((name) => {
      const [, base, number = ""] = encodedName.exec(name) ?? []
      const short = base === undefined ? name : `${base}${number}`
      if (base === undefined || used.has(short)) return [name, name]
      used.add(short)
      return [name, short]
    })
  )
}

/** A copy of a part, with schemas by their new names, without empty bounds. */
const renamed = (part: unknown, names: ReadonlyMap<string, string>): unknown => {
  if (Array.isArray(part)) return part.map((one) => renamed(one, names))
  if (typeof part !== "object" || part === null) return part
  return Object.fromEntries(
    Object.entries(part).flatMap(([key, value]) => {
      if (isNoBound(key, value)) return []
      const target = key === "$ref" && typeof value === "string" ? reference.exec(value)?.[1] : undefined
      return [
        [key, target === undefined ? renamed(value, names) : `#/components/schemas/${names.get(target) ?? target}`]
      ]
    })
  )
}

/** Whether the answers of an operation have pages. */
const hasPages = ({ parameters: given }: Json): boolean =>
  Array.isArray(given) && given.some((one: Json) => one["name"] === "before")

const described = (operation: Json, method: string, path: string, access: Access): Json => ({
  ...operation,
  description: [operation["description"] ?? wordsOf(method, path, hasPages(operation)), access.get(keyOf(method, path))]
    .filter((text) => text !== undefined)
    .join("\n\n"),
  ...(Array.isArray(operation["parameters"])
    ? {
        parameters: (operation["parameters"] as ReadonlyArray<Json>).map((one) => {
          const description = one["description"] ?? parameters[String(one["name"])]
          return description === undefined ? one : { ...one, description }
        })
      }
    : {})
})

/** An operation whose answers refer to the examples of their problems. */
const withProblemsOf = (operation: Json, examples: ReadonlySet<string>): Json => ({
  ...operation,
  responses: Object.fromEntries(
    Object.entries((operation["responses"] ?? {}) as Readonly<Record<string, Json>>).map(([status, answer]) => [
      status,
      withProblems(answer, examples)
    ])
  )
})

/** The completed document of a generated one. `access`: who may call its operations. */
export const completed = (generated: Json, access: Access = new Map()): Json => {
  const components = (generated["components"] ?? {}) as Readonly<Record<string, Json>>
  const schemas = components["schemas"] ?? {}
  const names = namesOf(Object.keys(schemas))
  const document = renamed(generated, names) as Readonly<Record<string, Json>>
  const info = document["info"]!
  const shown = Object.fromEntries(
    Object.entries(schemas).map(([name, one]) => [names.get(name)!, renamed(one, names) as Json])
  )
  const examples = problemExamples(shown)
  const problems = new Set(Object.keys(examples))
  const paths = Object.entries(document["paths"] as Readonly<Record<string, Json>>).map(
    ([path, item]) =>
      [
        path,
        Object.fromEntries(
          Object.entries(item).map(([method, one]) => [
            method,
            withExamples(
              withProblemsOf(described(one as Json, method, path, access), problems),
              path,
              shown,
              operationExamples[keyOf(method, path)]
            )
          ])
        )
      ] as const
  )
  const securitySchemes = Object.entries((document["components"]?.["securitySchemes"] ?? {}) as Record<string, Json>)
  return {
    ...document,
    info: {
      ...info,
      description: [info["description"], authentication].filter((text) => text !== undefined).join("\n\n")
    },
    servers: [{ url: "/", description: "The server that this document comes from" }],
    paths: Object.fromEntries(paths),
    components: {
      ...document["components"],
      schemas: shown,
      ...(problems.size === 0 ? {} : { examples }),
      securitySchemes: Object.fromEntries(
        securitySchemes.map(([name, one]) => [
          name,
          { ...one, description: schemes[name] ?? one["description"] ?? name }
        ])
      )
    }
  }
}
