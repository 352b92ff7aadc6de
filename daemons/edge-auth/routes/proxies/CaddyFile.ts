/**
 * Caddy's Caddyfile: the addresses of its sites, and whether `forward_auth` stands in them, by itself or by a snippet. Pure.
 * Source: Caddyfile concepts ("Structure", "Addresses", "Snippets").
 */
import { hostOf } from "../../verify/Host.ts"
import { blocksOf, type Statement } from "./Blocks.ts"
import { maxDepth, type Place, type Read } from "./Read.ts"

export const readCaddyfile = (file: string, text: string): Read => {
  const statements = blocksOf(text, "line")
  if ("problem" in statements) return { places: [], unread: [`${file}: ${statements.problem}`], includes: [] }
  const places: Array<Place> = []
  const unread: Array<string> = []
  const snippets = new Map(statements.flatMap(({ block, words }) => block !== undefined && /^\(.+\)$/.test(words[0] ?? "") ? [[words[0]!.slice(1, -1), block] as const] : []))

  /** `all`: every request of the block is asked about; `some`: of a part of it. */
  const asksOf = (block: ReadonlyArray<Statement>, depth: number): "all" | "some" | "none" => {
    let found: "some" | "none" = "none"
    for (const { block: inner, line, words: [name, second] } of block) {
      // With a matcher (`forward_auth /private/* …`, `@name`) it is asked for a part alone.
      if (name === "forward_auth") {
        if (second?.startsWith("/") || second?.startsWith("@")) found = "some"
        else return "all"
      } else if (name === "import" && second !== undefined) {
        const snippet = snippets.get(second)
        if (snippet === undefined) unread.push(`${file}:${line}: import ${second} is not in this file; a check in it is not seen`)
        else if (depth < maxDepth) {
          const asks = asksOf(snippet, depth + 1)
          if (asks === "all") return asks
          if (asks === "some") found = asks
        }
      } else if (inner !== undefined && depth < maxDepth && ["handle", "handle_path", "route"].includes(name!)) {
        const asks = asksOf(inner, depth + 1)
        if (name === "route" && second === undefined && asks === "all") return asks
        if (asks !== "none") found = "some"
      }
    }
    return found
  }

  for (const { block, line, words } of statements) {
    if (words.length === 0 || /^\(.+\)$/.test(words[0]!)) continue
    if (block === undefined) {
      unread.push(`${file}:${line}: ${words[0]} stands outside of a site; a file of one site without braces is not read`)
      continue
    }
    const asks = asksOf(block, 0)
    for (const address of words.flatMap((word) => word.split(",")).filter((word) => word !== "")) {
      const name = address.replace(/^https?:\/\//, "").replace(/\/.*$/, "")
      const host = /[*{}]/.test(name) || name.startsWith(":") ? undefined : hostOf(name)
      if (host === undefined) {
        unread.push(`${file}:${line}: which hosts the site ${address} means is not known`)
        continue
      }
      if (asks !== "none") places.push({ host, asks: true, where: `${file}:${line} ${address}` })
      if (asks !== "all") places.push({ host, asks: false, where: asks === "some" ? `${file}:${line} ${address}, what no forward_auth is for` : `${file}:${line} ${address}` })
    }
  }
  return { places, unread, includes: [] }
}
