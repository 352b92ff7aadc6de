/**
 * Reads a Caddyfile: the addresses of its sites, and whether they contain `forward_auth`, directly or by a snippet.
 * Pure. Source: Caddyfile concepts ("Structure", "Addresses", "Snippets").
 */
import { hostOf } from "../../edge/Host.ts"
import { blocksOf, type Statement } from "./Blocks.ts"
import { maxDepth, type ProxyLocation, type Read } from "./Read.ts"

/** The file of banned addresses that Signalbox writes; it has no check (core/bans/BanFiles.ts). */
const banFile = /\/banned\*?\.caddyfile$/

export const readCaddyfile = (file: string, text: string): Read => {
  const statements = blocksOf(text, "line")
  if ("problem" in statements) return { places: [], unread: [`${file}: ${statements.problem}`], includes: [] }
  const places: Array<ProxyLocation> = []
  const unread: Array<string> = []
  const snippets = new Map(
    statements.flatMap(({ block, words }) =>
      block !== undefined && /^\(.+\)$/.test(words[0] ?? "") ? [[words[0]!.slice(1, -1), block] as const] : []
    )
  )

  const bodyOf = ({ block, line, words: [name, second] }: Statement): ReadonlyArray<Statement> => {
    if (name !== "import" || second === undefined || banFile.test(second)) return block ?? []
    const snippet = snippets.get(second)
    if (snippet === undefined)
      unread.push(`${file}:${line}: import ${second} is not in this file; a check in it is not found`)
    return snippet ?? []
  }

  /** Whether the block asks about all its requests, and for each part with a matcher whether that part asks. */
  const lookAt = (
    block: ReadonlyArray<Statement>,
    depth: number
  ): { readonly all: boolean; readonly parts: ReadonlyArray<{ readonly asks: boolean; readonly where: string }> } => {
    const parts = new Array<{ readonly asks: boolean; readonly where: string }>()
    let all = false
    for (const statement of depth > maxDepth ? [] : block) {
      const { line, words } = statement
      const [name, second] = words
      const matched = second?.startsWith("/") === true || second?.startsWith("@") === true
      const where = `line ${line} ${words.join(" ")}`
      if (name === "forward_auth") {
        // With a matcher (`forward_auth /private/* …`) only that part asks.
        if (matched) parts.push({ asks: true, where })
        else all = true
      } else if (name === "import" || name === "route") {
        const inner = lookAt(bodyOf(statement), depth + 1)
        if (inner.all && !matched) all = true
        parts.push(...inner.parts)
      } else if (name === "handle" || name === "handle_path") {
        const inner = lookAt(statement.block ?? [], depth + 1)
        // Skips our own snippets: they must stay open, because sign-ins arrive there.
        const isOurs =
          statement.block?.some(
            ({ words }) =>
              words[0] === "import" && (words[1] === "signalbox_edge_handoff" || words[1] === "signalbox_edge_login")
          ) === true
        if (!isOurs) parts.push({ asks: inner.all, where }, ...inner.parts)
        if (inner.all && !matched && name === "handle") fallback = true
      }
    }
    return { all, parts }
  }
  /** Whether a `handle` without a matcher asks; it takes all requests that no other part takes. */
  let fallback = false

  for (const { block, line, words } of statements) {
    if (words.length === 0 || /^\(.+\)$/.test(words[0]!)) continue
    if (block === undefined) {
      unread.push(
        `${file}:${line}: ${words[0]} is outside of a site; a file of one site without braces is not supported`
      )
      continue
    }
    fallback = false
    const found = lookAt(block, 0)
    for (const address of words.flatMap((word) => word.split(",")).filter((word) => word !== "")) {
      const name = address.replace(/^https?:\/\//, "").replace(/\/.*$/, "")
      const host = /[*{}]/.test(name) || name.startsWith(":") ? undefined : hostOf(name)
      if (host === undefined) {
        unread.push(`${file}:${line}: the hosts of the site ${address} are not known`)
        continue
      }
      const at = `${file}:${line} ${address}`
      places.push({ host, asks: found.all || fallback, where: at })
      if (!found.all) places.push(...found.parts.map(({ asks, where }) => ({ host, asks, where: `${at}, ${where}` })))
    }
  }
  return { places, unread: [...new Set(unread)], includes: [] }
}
