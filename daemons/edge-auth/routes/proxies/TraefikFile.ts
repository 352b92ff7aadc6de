/**
 * Reads Traefik's dynamic configuration in YAML or TOML: the hosts in the rules of its routers, and whether their
 * middlewares include a `forwardAuth`. Reads keys, plain values and lists by their indentation, but no anchors and no
 * multi-line texts. Middlewares of entry points are in the static configuration and are not found. Pure. Source:
 * Traefik "Routing, HTTP routers", "File provider".
 *
 * The libraries yaml 2.9.1 (8,200 lines) and smol-toml 1.9.1 (1,300 lines) would read all of both formats. This file
 * has 120 lines, and reports what it does not read.
 */
import { hostOf } from "../../edge/Host.ts"
import type { ProxyLocation, Read } from "./Read.ts"

interface Router {
  readonly line: number
  rule: string
  readonly middlewares: Array<string>
}

export const readTraefik = (file: string, text: string, kind: "yaml" | "toml"): Read => {
  const unread: Array<string> = []
  const routers = new Map<string, Router>()
  const asking = new Set<string>()
  const chains = new Map<string, Array<string>>()

  for (const { line, path, value } of kind === "yaml" ? yamlPairs(text) : tomlPairs(text)) {
    const [http, section, name, key, ...rest] = path
    if (http !== "http") continue
    if (/^(?:\{.|&|\*)/.test(value) || path.includes("<<"))
      unread.push(`${file}:${line}: ${path.join(".")} is an inline table, anchor or alias, which is not supported`)
    if (name === undefined) continue
    if (section === "routers") {
      const router = routers.get(name) ?? { line, rule: "", middlewares: [] }
      routers.set(name, router)
      if (key === "rule") router.rule = value
      if (key === "middlewares") router.middlewares.push(...listOf(value))
    }
    if (section === "middlewares" && key?.toLowerCase() === "forwardauth") asking.add(name)
    if (section === "middlewares" && key === "chain" && rest[0] === "middlewares")
      chains.set(name, [...(chains.get(name) ?? []), ...listOf(value)])
  }

  const asks = (name: string, depth = 0): boolean => {
    const plain = name.replace(/@file$/, "")
    if (name.includes("@") && !name.endsWith("@file"))
      unread.push(`${file}: the middleware ${name} is not in a file; whether it asks is not known`)
    return asking.has(plain) || (depth < 5 && (chains.get(plain) ?? []).some((inner) => asks(inner, depth + 1)))
  }

  const places: Array<ProxyLocation> = []
  for (const [name, { line, middlewares, rule }] of routers) {
    const where = `${file}:${line} router ${name}`
    if (/HostRegexp|HostHeader|!\s*Host/i.test(rule)) unread.push(`${where}: the hosts of its rule are not known`)
    const named = [...rule.matchAll(/(?<![!A-Za-z])Host\(([^)]*)\)/g)].flatMap(([, inside]) =>
      [...inside!.matchAll(/[`"']([^`"']+)[`"']/g)].map((match) => match[1]!)
    )
    if (named.length === 0) unread.push(`${where}: its rule names no host`)
    for (const one of named) {
      const host = hostOf(one)
      if (host === undefined) unread.push(`${where}: ${one} is not a host`)
      else places.push({ host, asks: middlewares.some((middleware) => asks(middleware)), where })
    }
  }
  return { places, unread, includes: [] }
}

interface Pair {
  readonly path: ReadonlyArray<string>
  readonly value: string
  readonly line: number
}

const unquoted = (text: string): string =>
  /^(["'])(.*)\1$/s.exec(text.trim())?.[2]?.replaceAll('\\"', '"') ?? text.trim()

/** `[a, "b"]` or one value. */
const listOf = (value: string): ReadonlyArray<string> => {
  const inside = /^\[(.*)\]$/s.exec(value.trim())?.[1]
  return (inside === undefined ? [value] : inside.split(",")).map(unquoted).filter((item) => item !== "")
}

function* yamlPairs(text: string): Generator<Pair> {
  const stack: Array<{ readonly indent: number; readonly key: string }> = []
  for (const [index, raw] of text.split("\n").entries()) {
    const line = raw.replace(/(^|\s)#.*$/, "").trimEnd()
    if (line.trim() === "" || line.trim() === "---") continue
    const indent = line.length - line.trimStart().length
    const item = /^\s*-\s+(.*)$/.exec(line)?.[1]
    // YAML allows a list at the indentation of its key.
    while (
      stack.length > 0 &&
      (stack.at(-1)!.indent > indent || (stack.at(-1)!.indent === indent && item === undefined))
    )
      stack.pop()
    const path = stack.map(({ key }) => key)
    if (item !== undefined) {
      yield { path, value: unquoted(item), line: index + 1 }
      continue
    }
    const [, key, value] = /^\s*("[^"]*"|'[^']*'|[^:\s]+)\s*:(?:\s+(.*))?$/.exec(line) ?? []
    if (key === undefined) continue
    stack.push({ indent, key: unquoted(key) })
    yield { path: [...path, unquoted(key)], value: unquoted(value ?? ""), line: index + 1 }
  }
}

function* tomlPairs(text: string): Generator<Pair> {
  let section: ReadonlyArray<string> = []
  for (const [index, raw] of text.split("\n").entries()) {
    const line = raw.replace(/^\s*#.*$/, "").trim()
    const header = /^\[+\s*(.+?)\s*\]+$/.exec(line)?.[1]
    if (header !== undefined) {
      section = header.split(".").map(unquoted)
      yield { path: section, value: "", line: index + 1 }
      continue
    }
    const [, key, value] = /^([\w."'-]+)\s*=\s*(.+)$/.exec(line) ?? []
    if (key !== undefined)
      yield { path: [...section, ...key.split(".").map(unquoted)], value: unquoted(value!), line: index + 1 }
  }
}
