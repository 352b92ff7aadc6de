/**
 * Rules for requests that hold for every endpoint of every daemon, as checks that return findings: one line for each
 * endpoint that breaks the rule.
 */
import { Effect, Exit, Schema } from "effect"
import { type Parameter, limitHeader, rulesOf } from "#core/http/RequestTargets.ts"
import { daemons } from "#daemons/Suite.ts"
import type { Answer } from "#support/TestSuite.ts"
import { callAs, type Endpoint, endpoints, filled, type Installation } from "./Installation.ts"

type Check = Effect.Effect<ReadonlyArray<string>, never, Installation>

const brief = ({ status, text }: Answer) => `${status} ${text.slice(0, 200)}`

const checked = (
  all: ReadonlyArray<Endpoint>,
  check: (endpoint: Endpoint) => Effect.Effect<ReadonlyArray<string>, never, Installation>
): Check =>
  Effect.map(
    Effect.forEach(all, (endpoint) =>
      Effect.map(check(endpoint), (found) => found.map((line) => `${endpoint.name}: ${line}`))
    ),
    (found) => found.flat()
  )

/** Fields that a 422 names. */
const fieldsOf = ({ json, status }: Answer): ReadonlyArray<string> =>
  status === 422 && Array.isArray(json?.errors) ? json.errors.map(({ field }: { readonly field: string }) => field) : []

const formType = { "content-type": "application/x-www-form-urlencoded" }

/** Endpoints whose body is read field by field. */
export const withFields = endpoints.filter(({ bodies }) =>
  bodies.some((encoding) => encoding === "Json" || encoding === "FormUrlEncoded")
)

/** An unknown field of a body is refused and named, unless the body follows another party's specification. */
export const unknownFields: Check = checked(
  withFields.filter(({ hasForeignBody }) => !hasForeignBody),
  Effect.fnUntraced(function* (endpoint) {
    const answer = yield* callAs(
      endpoint,
      filled(endpoint.path, idOf(endpoint)),
      endpoint.bodies.includes("Json") ? { body: { unknown_field: 1 } } : { body: "unknown_field=1", headers: formType }
    )
    return fieldsOf(answer).includes("payload.unknown_field") ? [] : [`ignores an unknown field: ${brief(answer)}`]
  })
)

/** Values for path parameters that nothing has. The first one that the schema allows is sent. */
const absent = { integer: "2147483000", text: ["absent", "00000000-0000-4000-8000-000000000000", "r2147483000", "xx"] }

interface Described {
  readonly type?: unknown
}

type AnyParams = Schema.Codec<unknown>

const paramsOf = ({ declared: { params } }: Endpoint): Readonly<Record<string, Described>> =>
  params === undefined
    ? {}
    : ((Schema.toJsonSchemaDocument(Schema.toType(params)).schema["properties"] ?? {}) as Record<string, Described>)

const isNumber = ({ type }: Described) => type === "integer" || type === "number"

/** A value of the parameter that the endpoint's schema allows. */
const idOf = (endpoint: Endpoint) => {
  const described = paramsOf(endpoint)
  const { params } = endpoint.declared
  const names = Object.keys(described)
  const all = names.reduce<ReadonlyArray<Readonly<Record<string, string>>>>(
    (sets, name) =>
      sets.flatMap((set) =>
        (isNumber(described[name]!) ? [absent.integer] : absent.text).map((text) => ({ ...set, [name]: text }))
      ),
    [{}]
  )
  const decode = params === undefined ? undefined : Schema.decodeUnknownExit(params as unknown as AnyParams)
  const found = all.find((set) => decode === undefined || Exit.isSuccess(decode(set))) ?? all[0]!
  return (name: string) => found[name] ?? absent.text[0]!
}

/** A path id that is no number, or no number that an id can be, is 404. */
export const impossibleIds: Check = checked(
  endpoints,
  Effect.fnUntraced(function* (endpoint) {
    const numbers = Object.entries(paramsOf(endpoint)).filter(([, described]) => isNumber(described))
    const found: Array<string> = []
    for (const [name] of numbers) {
      for (const value of ["x", "0", "-1", "1.5", "99999999999999999999"]) {
        const path = filled(endpoint.path, (other) => (other === name ? value : idOf(endpoint)(other)))
        const answer = yield* callAs(endpoint, path)
        if (answer.status !== 404 || answer.json?.code !== "not_found")
          found.push(`${name}=${value} is answered ${brief(answer)}`)
      }
    }
    return found
  })
)

/** The endpoint is found with a trailing slash. The wrong credentials keep the calls from having effects. */
export const trailingSlashes: Check = checked(
  endpoints.filter(({ path }) => path !== "/"),
  Effect.fnUntraced(function* (endpoint) {
    const headers = { "x-service-token": "sbx_wrong", authorization: "" }
    const path = filled(endpoint.path, idOf(endpoint))
    const [without, slashed] = [
      yield* callAs(endpoint, path, { headers }),
      yield* callAs(endpoint, `${path}/`, { headers })
    ]
    return slashed.status === without.status && slashed.json?.code === without.json?.code
      ? []
      : [`without slash ${brief(without)}, with slash ${brief(slashed)}`]
  })
)

/** A GET that HEAD must not repeat: it uses a link up, and HEAD gets the page that every link has. */
const usesUp = "GET /provision/:token"

/** HEAD is GET without the body. */
export const heads: Check = checked(
  endpoints.filter(({ method, name }) => method === "GET" && name !== usesUp),
  Effect.fnUntraced(function* (endpoint) {
    const path = filled(endpoint.path, idOf(endpoint))
    const [get, head] = [yield* callAs(endpoint, path), yield* callAs(endpoint, path, { method: "HEAD" })]
    const type = (answer: Answer) => answer.headers.get("content-type")
    return head.status === get.status && head.text === "" && type(head) === type(get)
      ? []
      : [`GET ${brief(get)} (${type(get)}), HEAD ${brief(head)} (${type(head)})`]
  })
)

const spelled: ReadonlyMap<string, ReadonlyMap<string, Parameter>> = new Map(
  daemons.flatMap(({ api }) => rulesOf(api).map((rule) => [`${rule.method} ${rule.path}`, rule.parameters] as const))
)

const withParameters = (check: (endpoint: Endpoint, name: string, parameter: Parameter) => Check): Check =>
  checked(endpoints, (endpoint) =>
    Effect.map(
      Effect.forEach(spelled.get(endpoint.name) ?? [], ([name, parameter]) => check(endpoint, name, parameter)),
      (found) => found.flat()
    )
  )

/** Booleans in their usual spellings, an empty search text, and a page length above the maximum are accepted. */
export const spellings: Check = withParameters(
  Effect.fnUntraced(function* (endpoint, name, parameter) {
    const values =
      parameter.kind === "boolean"
        ? ["1", "true", "True", "yes", "on", "0", "false", "False", "no", "off"]
        : parameter.kind === "search"
          ? [""]
          : ["100000"]
    const found: Array<string> = []
    for (const value of values) {
      const answer = yield* callAs(endpoint, `${filled(endpoint.path, idOf(endpoint))}?${name}=${value}`)
      if (fieldsOf(answer).includes(`query.${name}`) || answer.status >= 500)
        found.push(`${name}=${value} is answered ${brief(answer)}`)
      if (parameter.kind === "pageLength" && answer.headers.get(limitHeader) !== String(parameter.maximum))
        found.push(`${name}=${value} does not tell its limit: ${answer.headers.get(limitHeader)}`)
    }
    return found
  })
)

/** Parameters for the length of a page without a maximum, which nothing shortens. */
export const unlimited: ReadonlyArray<string> = endpoints.flatMap(({ declared, name }) =>
  declared.query === undefined
    ? []
    : Object.keys(
        (Schema.toJsonSchemaDocument(Schema.toType(declared.query)).schema["properties"] ?? {}) as object
      ).flatMap((parameter) =>
        (parameter === "limit" || parameter === "per_page") && !spelled.get(name)?.has(parameter)
          ? [`${name}: ${parameter}`]
          : []
      )
)
