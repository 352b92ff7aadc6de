/** Invalid inputs outside JSON bodies: path, query, header, form and method. Derived from a valid request. Pure. */
import { maxBodySize } from "#core/http/BodyBounds.ts"
import { type BadInput, endless, longParameter } from "./BadInput.ts"
import type { Request } from "./Case.ts"
import type { Json, Operation } from "./Operations.ts"
import type { Wire } from "./Wire.ts"

/**
 * Percent-encoded values. A lone surrogate is missing, because parsers of queries and forms decode its UTF-8 bytes to
 * U+FFFD, which is ordinary text.
 */
const anywhere = { NUL: "%00", "10 kB": "x".repeat(longParameter) }
const paths = {
  "0": "0",
  "-1": "-1",
  x: "x",
  "1e99": "1e99",
  "beyond integers": "99999999999999999999",
  "../": "../",
  "..%2f": "..%2f..%2f",
  "a lone %": "%",
  "not UTF-8": "%ff",
  "lone surrogate": "%ED%A0%80"
}
const queries = {
  empty: "",
  "-1": "-1",
  x: "x",
  "1.5": "1.5",
  "1e99": "1e99",
  "beyond integers": "99999999999999999999"
}

/** Values of parameters that every endpoint accepts: an empty search text, and a page length above the maximum. */
const accepted: ReadonlySet<string> = new Set(["q: empty", "limit: beyond integers", "per_page: beyond integers"])

/** Invalid path and query parameters. Parameters in `freeText` accept any text that Postgres can store. */
export const parameterInputs = (
  operation: Operation,
  right: Wire,
  freeText: ReadonlyArray<string>
): ReadonlyArray<BadInput> => {
  const [path, query] = right.path.split("?", 2) as [string, string | undefined]
  const pieces = path.split("/")
  return operation.parameters.flatMap((parameter) => {
    const name = `${parameter.in}.${parameter.name}`
    const values = freeText.includes(name) ? anywhere : { ...(parameter.in === "path" ? paths : queries), ...anywhere }
    if (parameter.in === "path") {
      const index = operation.template.split("/").indexOf(`{${parameter.name}}`)
      return Object.entries(values).map(([what, value]) => ({
        name: `${name}: ${what}`,
        wire: { ...right, path: pieces.with(index, value).join("/") + (query === undefined ? "" : `?${query}`) }
      }))
    }
    if (parameter.in === "query") {
      const rest = (query ?? "").split("&").filter((pair) => pair !== "" && !pair.startsWith(`${parameter.name}=`))
      const to = (what: string, ...pairs: ReadonlyArray<string>): BadInput => ({
        name: `${name}: ${what}`,
        field: `query.${parameter.name}`,
        wire: { ...right, path: [path, [...rest, ...pairs].join("&")].filter((part) => part !== "").join("?") }
      })
      return [
        ...(parameter.required ? [to("missing")] : []),
        ...Object.entries(values)
          .filter(([what]) => !accepted.has(`${parameter.name}: ${what}`))
          .map(([what, value]) => to(what, `${parameter.name}=${value}`)),
        ...(freeText.includes(name) ? [] : [to("twice", `${parameter.name}=1`, `${parameter.name}=x`)])
      ]
    }
    if (parameter.in !== "header") return []
    const { maxLength } = parameter.schema
    if (maxLength === undefined) return []
    return [
      {
        name: `${name}: too long`,
        wire: { ...right, headers: { ...right.headers, [parameter.name]: "x".repeat(maxLength + 1) } }
      }
    ]
  })
}

/**
 * Invalid urlencoded forms: each field missing, empty, too long, with NUL or repeated; a wrong content type; no form.
 */
export const formInputs = (right: Wire, schema: Json, form: NonNullable<Request["form"]>): ReadonlyArray<BadInput> => {
  const text = (pairs: ReadonlyArray<readonly [string, string]>) => pairs.map((pair) => pair.join("=")).join("&")
  const pairs = Object.entries(form).map(([name, value]) => [name, encodeURIComponent(value)] as const)
  const sent = (name: string, body: string, type = "application/x-www-form-urlencoded"): BadInput => ({
    name: `form${name}`,
    wire: { ...right, headers: { ...right.headers, "content-type": type }, body }
  })
  return [
    sent(": text/plain", text(pairs), "text/plain"),
    sent(": xml", "<a/>", "application/xml"),
    sent(": empty", ""),
    sent(": not UTF-8", "%ff%fe=%"),
    { ...sent(": over the limit", `filler=${"x".repeat(maxBodySize)}`), status: 413 },
    ...pairs.flatMap(([name]) => {
      const others = pairs.filter(([other]) => other !== name)
      const field = (what: string, ...values: ReadonlyArray<string>) =>
        sent(`.${name}: ${what}`, text([...others, ...values.map((value) => [name, value] as const)]))
      return [
        ...(schema.required?.includes(name) ? [field("missing"), field("empty", "")] : []),
        field("NUL", "%00"),
        field("endless", "x".repeat(endless)),
        field("twice", form[name]!, "x")
      ]
    })
  ]
}

/** Methods that no operation has at this path. */
export const methodInputs = (right: Wire, all: ReadonlyArray<Operation>): ReadonlyArray<BadInput> => {
  const path = right.path.split("?", 1)[0]!
  const { "content-type": _, ...headers } = right.headers
  return ["GET", "POST", "PUT", "PATCH", "DELETE", "PROPFIND"]
    .filter((method) => !all.some((other) => other.method === method && shapeOf(other.template).test(path)))
    .map((method) => ({ name: `method: ${method}`, status: 405, wire: { method, path: right.path, headers } }))
}

const shapeOf = (template: string) =>
  new RegExp(`^${template.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{\w+\}/g, "[^/]+")}$`)
