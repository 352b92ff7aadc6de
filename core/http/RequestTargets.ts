/**
 * Spellings of request targets that every endpoint accepts, derived from the declarations of the endpoints: a trailing
 * slash; `1`, `True`, `yes` or `on` for `true`, likewise for `false`; an empty `q`, which searches for nothing and is
 * removed; a page length above its maximum, which counts as the maximum. Returns the declared spelling of the target,
 * so that fast lane and router know only that one. Everything else stays as sent. Pure.
 */
import { Schema } from "effect"
import type { HttpApi } from "effect/http-api"
import { remembering } from "../lane/Remembering.ts"
import { top } from "./Api.ts"
import { allowed, shapeOf } from "./Methods.ts"

/** Response header with the page length of the answer, when the request asked for a longer page. Unit: items. */
export const limitHeader = "x-limit"

export interface Target {
  readonly target: string
  /** Page length that replaced a longer one. Unit: items. */
  readonly limit: number | undefined
}

/** Parameters for the length of a page. */
const pageLengths: ReadonlySet<string> = new Set(["limit", "per_page"])
/** Parameter for a search text. */
const searchText = "q"

/** Spellings of the two words, in lower case. */
const booleans: ReadonlyMap<string, string> = new Map([
  ...["true", "1", "yes", "on"].map((word) => [word, "true"] as const),
  ...["false", "0", "no", "off"].map((word) => [word, "false"] as const)
])

/** How the value of a parameter is spelled. `maximum`: of a page length. */
export type Parameter =
  | { readonly kind: "boolean" }
  | { readonly kind: "pageLength"; readonly maximum: number }
  | { readonly kind: "search" }

/** Number of cached targets, and the longest one. Units: targets, characters. Reason: pages are read repeatedly. */
const cached = { count: 1000, length: 256 }

/**
 * Builds the function for the endpoints of `api` and the further paths (`/path`, `/path/:name`, `/path/*`) of fast lane
 * and system. It returns the same target when nothing changes.
 */
export const make = (
  api: HttpApi.Constraint,
  further: ReadonlyArray<string>
): ((method: string, target: string) => Target | undefined) => {
  const rules = rulesOf(api)
  const isEndpoint = knownBy(rules.map(({ path }) => path))
  const isFurther = knownBy(further)
  const spelled = rules
    .filter(({ parameters }) => parameters.size > 0)
    .map((rule) => ({ ...rule, shape: shapeOf(rule.path) }))
  const names = [...new Set(spelled.flatMap(({ parameters }) => [...parameters.keys()]))]
  const named = new RegExp(`[?&](?:${names.join("|")})=`)

  const compute = (method: string, target: string): Target => {
    const end = target.indexOf("?")
    const sent = end === -1 ? target : target.slice(0, end)
    const path = withoutSlash(sent, isEndpoint, isFurther)
    const query = end === -1 ? undefined : target.slice(end + 1)
    const rule =
      query === undefined || names.length === 0 || !named.test(target)
        ? undefined
        : spelled.find((one) => one.method === method && one.shape.test(path))
    if (rule === undefined)
      return { target: sent === path ? target : path + target.slice(sent.length), limit: undefined }
    const { limit, text } = respelled(query!, rule.parameters)
    return { target: text === "" ? path : `${path}?${text}`, limit }
  }
  const computeGet = remembering(cached.count, (target: string) => compute("GET", target))
  return (method, target) => {
    // Nearly all requests of the hot lanes end here.
    if (target.charCodeAt(target.length - 1) !== slash && (names.length === 0 || !target.includes("?")))
      return undefined
    if (method !== "GET" && method !== "HEAD") return compute(method, target)
    return target.length <= cached.length ? computeGet(target) : compute("GET", target)
  }
}

const slash = "/".charCodeAt(0)

const knownBy = (templates: ReadonlyArray<string>): ((path: string) => boolean) => {
  const methods = allowed(templates.map((path) => ({ method: "any", path })))
  return (path) => methods(path).length > 0
}

/**
 * The path without its trailing slash, when an endpoint has only that form, or only that form is known. A folder such
 * as `/files/*` of the fast lane keeps its slash.
 */
const withoutSlash = (
  path: string,
  isEndpoint: (path: string) => boolean,
  isFurther: (path: string) => boolean
): string => {
  if (path.length === 1 || !path.endsWith("/") || isEndpoint(path)) return path
  const trimmed = path.slice(0, -1)
  return isEndpoint(trimmed) || (isFurther(trimmed) && !isFurther(path)) ? trimmed : path
}

/** Declared spelling of a query string. */
const respelled = (
  text: string,
  parameters: ReadonlyMap<string, Parameter>
): { readonly text: string; readonly limit: number | undefined } => {
  let limit: number | undefined
  const pairs = text.split("&").flatMap((pair) => {
    const equals = pair.indexOf("=")
    const name = equals === -1 ? pair : pair.slice(0, equals)
    const value = equals === -1 ? "" : pair.slice(equals + 1)
    const parameter = parameters.get(name)
    if (parameter === undefined) return [pair]
    if (parameter.kind === "search") return value === "" ? [] : [pair]
    if (parameter.kind === "boolean") return [`${name}=${booleans.get(value.toLowerCase()) ?? value}`]
    if (!/^\d+$/.test(value) || Number(value) <= parameter.maximum) return [pair]
    limit = parameter.maximum
    return [`${name}=${parameter.maximum}`]
  })
  return { text: pairs.join("&"), limit }
}

export interface TargetRule {
  readonly method: string
  /** Path template, such as `/things/:id`. */
  readonly path: string
  readonly parameters: ReadonlyMap<string, Parameter>
}

/** The parameters of every endpoint that have further spellings. */
export const rulesOf = (api: HttpApi.Constraint): ReadonlyArray<TargetRule> =>
  Object.values(top(api).groups).flatMap(({ endpoints }) =>
    Object.values(endpoints).map(({ method, path, query }) => ({
      method,
      path,
      parameters: query === undefined ? new Map<string, Parameter>() : parametersOf(query)
    }))
  )

/** The parts of a JSON schema that tell the kind of a parameter. */
interface Described {
  readonly type?: unknown
  readonly enum?: ReadonlyArray<unknown>
  readonly maximum?: number
}

const parametersOf = (query: Schema.Constraint): ReadonlyMap<string, Parameter> => {
  const { schema } = Schema.toJsonSchemaDocument(Schema.toType(query))
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, Described>>
  return new Map(
    Object.entries(properties).flatMap(([name, described]): ReadonlyArray<[string, Parameter]> => {
      const parameter = parameterOf(name, described)
      return parameter === undefined ? [] : [[name, parameter]]
    })
  )
}

const parameterOf = (name: string, { enum: words, maximum, type }: Described): Parameter | undefined => {
  if (name === searchText) return { kind: "search" }
  if (pageLengths.has(name)) return maximum === undefined ? undefined : { kind: "pageLength", maximum }
  const isBoolean =
    type === "boolean" || (words?.length === 2 && words.every((word) => word === "true" || word === "false"))
  return isBoolean ? { kind: "boolean" } : undefined
}
