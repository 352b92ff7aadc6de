/**
 * Reads an nginx configuration: server names, and which servers and locations have `auth_request`. The caller reads
 * included files; they belong to the block that includes them. The target of `auth_request` is not checked. Pure.
 * Source: ngx_http_core_module, ngx_http_auth_request_module.
 */
import { hostOf } from "../../edge/Host.ts"
import { blocksOf, type Statement } from "./Blocks.ts"
import { maxDepth, type ProxyLocation, type Read } from "./Read.ts"

/** Files that match an include pattern; undefined when they cannot be read. */
export type Include = (path: string) => ReadonlyArray<{ readonly file: string; readonly text: string }> | undefined

export const readNginx = (file: string, text: string, include: Include): Read => {
  const places: Array<ProxyLocation> = []
  const unread: Array<string> = []
  const includes: Array<string> = []

  /** Statements of a file, with each include replaced by the statements of the included files. */
  const expanded = (
    file: string,
    text: string,
    depth: number
  ): ReadonlyArray<Statement & { readonly file: string }> => {
    const found = blocksOf(text, ";")
    if ("problem" in found) {
      unread.push(`${file}: ${found.problem}`)
      return []
    }
    return inPlace(file, found, depth)
  }
  const inPlace = (
    file: string,
    statements: ReadonlyArray<Statement>,
    depth: number
  ): ReadonlyArray<Statement & { readonly file: string }> =>
    statements.flatMap((statement) => {
      if (statement.words[0] !== "include" || statement.words[1] === undefined) return [{ ...statement, file }]
      const path = statement.words[1]
      includes.push(path)
      if (path.endsWith("mime.types") || path.endsWith("_params")) return []
      const files = depth < maxDepth ? include(path) : undefined
      if (files === undefined)
        unread.push(`${file}:${statement.line}: include ${path} cannot be read; a check in it is not found`)
      return (files ?? []).flatMap((one) => expanded(one.file, one.text, depth + 1))
    })

  const asksOf = (statements: ReadonlyArray<Statement>, inherited: boolean): boolean => {
    const own = statements.findLast(({ words }) => words[0] === "auth_request")
    return own === undefined ? inherited : own.words[1] !== "off"
  }

  const server = (
    where: string,
    statements: ReadonlyArray<Statement & { readonly file: string }>,
    inherited: boolean
  ) => {
    const hosts = new Array<string>()
    for (const { file, line, words } of statements.filter(({ words }) => words[0] === "server_name")) {
      for (const name of words.slice(1)) {
        const host = name.startsWith("~") || name.includes("*") || name.startsWith(".") ? undefined : hostOf(name)
        if (host !== undefined && name !== "_" && name !== "$hostname") hosts.push(host)
        else if (name !== "_" && name !== "")
          unread.push(`${file}:${line}: server_name ${name} is a pattern; its hosts are not known`)
      }
    }
    const add = (asks: boolean, at: string) => places.push(...hosts.map((host) => ({ host, asks, where: at })))
    const asks = asksOf(statements, inherited)
    const locate = (statements: ReadonlyArray<Statement>, outer: boolean, file: string) => {
      for (const { block, line, words } of statements) {
        if (words[0] !== "location" || block === undefined) continue
        // Named and internal locations are reached by internal redirects only.
        if (words[1]?.startsWith("@") || block.some(({ words }) => words[0] === "internal")) continue
        // Skips our own location for /handoff: it must stay open, because sign-ins arrive there.
        if (block.some(({ words }) => words[0] === "proxy_pass" && words[1]?.endsWith("/handoff"))) continue
        const asksHere = asksOf(block, outer)
        if (asksHere !== outer) add(asksHere, `${file}:${line} location ${words.slice(1).join(" ")}`)
        locate(block, asksHere, file)
      }
    }
    add(asks, where)
    for (const statement of statements) locate([statement], asks, statement.file)
  }

  const walk = (
    statements: ReadonlyArray<Statement & { readonly file: string }>,
    inherited: boolean,
    depth: number
  ) => {
    const asks = asksOf(statements, inherited)
    for (const { block, file, line, words } of statements) {
      if (block === undefined || depth > maxDepth) continue
      const inner = inPlace(file, block, depth + 1)
      if (words[0] === "server") server(`${file}:${line} server`, inner, asks)
      else if (words[0] === "http") walk(inner, asks, depth + 1)
    }
  }
  walk(expanded(file, text, 0), false, 0)
  return { places, unread, includes }
}
