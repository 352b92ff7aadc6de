/**
 * Reads Traefik's dynamic configuration in YAML or TOML: the hosts in the rules of its routers, and whether their
 * middlewares include a `forwardAuth`. Middlewares of entry points are in the static configuration and are not found. A
 * file with Go templates is not valid YAML or TOML and is reported. Pure. Source: Traefik "Routing, HTTP routers",
 * "File provider".
 */
import { parse as parseToml } from "smol-toml"
import { isMap, isScalar, LineCounter, parseDocument } from "yaml"
import { hostOf } from "../../edge/Host.ts"
import type { ProxyLocation, Read } from "./Read.ts"

/** Maximum number of uses of aliases in one file. Reason: nested aliases grow without bound in memory. */
const maxAliases = 100

/** Longest chain of middlewares that contain others. Reason: a chain may contain itself. */
const maxDepth = 5

type Table = Readonly<Record<string, unknown>>

/** A file as data. `lineOf`: the line where a router begins, when the format tells it. */
interface Parsed {
  readonly value: unknown
  readonly lineOf: (router: string) => number | undefined
}

export const readTraefik = (file: string, text: string, kind: "yaml" | "toml"): Read => {
  const parsed = parsedOr(kind === "yaml" ? yamlOf : tomlOf, text)
  if (typeof parsed === "string")
    return { places: [], unread: [`${file}: is not valid ${kind.toUpperCase()}: ${parsed}`], includes: [] }
  const http = tableOf(tableOf(parsed.value)["http"])
  const middlewares = new Map(Object.entries(tableOf(http["middlewares"])).map(([name, one]) => [name, tableOf(one)]))
  const unread: Array<string> = []
  const places: Array<ProxyLocation> = []

  const asks = (name: string, depth = 0): boolean => {
    const own = middlewares.get(name.replace(/@file$/, ""))
    if (own === undefined || (name.includes("@") && !name.endsWith("@file"))) {
      unread.push(`${file}: the middleware ${name} is not in this file; whether it asks is not known`)
      return false
    }
    if (Object.keys(own).some((key) => key.toLowerCase() === "forwardauth")) return true
    return depth < maxDepth && textsOf(tableOf(own["chain"])["middlewares"]).some((inner) => asks(inner, depth + 1))
  }

  for (const [name, one] of Object.entries(tableOf(http["routers"]))) {
    const line = parsed.lineOf(name)
    const where = `${file}${line === undefined ? "" : `:${line}`} router ${name}`
    const router = tableOf(one)
    const rule = typeof router["rule"] === "string" ? router["rule"] : ""
    if (/HostRegexp|HostHeader|!\s*Host/i.test(rule)) unread.push(`${where}: the hosts of its rule are not known`)
    const named = [...rule.matchAll(/(?<![!A-Za-z])Host\(([^)]*)\)/g)].flatMap(([, inside]) =>
      [...inside!.matchAll(/[`"']([^`"']+)[`"']/g)].map((match) => match[1]!)
    )
    if (named.length === 0) unread.push(`${where}: its rule names no host`)
    for (const text of named) {
      const host = hostOf(text)
      if (host === undefined) unread.push(`${where}: ${text} is not a host`)
      else places.push({ host, asks: textsOf(router["middlewares"]).some((middleware) => asks(middleware)), where })
    }
  }
  return { places, unread: [...new Set(unread)], includes: [] }
}

/** The parsed file, or the first line of the parser's complaint. */
const parsedOr = (parse: (text: string) => Parsed, text: string): Parsed | string => {
  try {
    return parse(text)
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).split("\n", 1)[0]!
  }
}

const yamlOf = (text: string): Parsed => {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, merge: true, logLevel: "error" })
  if (document.errors.length > 0) throw document.errors[0]!
  const routers = document.getIn(["http", "routers"])
  return {
    value: document.toJS({ maxAliasCount: maxAliases }),
    lineOf: (router) => {
      const key = isMap(routers)
        ? routers.items.map((item) => item.key).find((key) => isScalar(key) && key.value === router)
        : undefined
      const start = isScalar(key) ? key.range?.[0] : undefined
      return start === undefined ? undefined : lines.linePos(start).line
    }
  }
}

const tomlOf = (text: string): Parsed => ({ value: parseToml(text), lineOf: () => undefined })

/** A table, or an empty one for any other value. */
const tableOf = (value: unknown): Table =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Table) : {}

/** A list of texts, or one text. */
const textsOf = (value: unknown): ReadonlyArray<string> =>
  (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === "string")
