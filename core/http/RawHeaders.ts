/**
 * Reads chosen headers from the raw list of a request. `request.headers` builds an object of all headers when it is
 * first read, which takes a twelfth of the processor time of a fast-lane answer. Repeated headers are treated as Node
 * does: `cookie` is joined by `; `, of `host` and `content-length` the first counts, others are joined by `, `.
 */

/** Headers of which only the first counts. Source: Node.js documentation, `message.headers`. */
const firstOnly: ReadonlySet<string> = new Set(["host", "content-length"])

/** Values of the chosen headers by name. */
export type Read<Name extends string> = Readonly<Record<Name, string | undefined>>

/** `names`: in lower case. `raw`: names in any case and values, alternately. */
export const reader = <const Name extends string>(
  names: ReadonlyArray<Name>
): ((raw: ReadonlyArray<string>) => Read<Name>) => {
  const none = Object.fromEntries(names.map((name) => [name, undefined])) as Read<Name>
  const byLength = new Array<ReadonlyArray<Name>>()
  for (const name of names) byLength[name.length] = [...(byLength[name.length] ?? []), name]
  return (raw) => {
    const found: Record<Name, string | undefined> = { ...none }
    for (let index = 0; index < raw.length; index += 2) {
      const sent = raw[index]!
      const candidates = byLength[sent.length]
      if (candidates === undefined) continue
      const name = candidates.find((candidate) => isSame(sent, candidate))
      if (name !== undefined) found[name] = joined(name, found[name], raw[index + 1]!)
    }
    return found
  }
}

/** Value of one header. `name`: in lower case. */
export const valueOf = (raw: ReadonlyArray<string>, name: string): string | undefined => {
  let found: string | undefined
  for (let index = 0; index < raw.length; index += 2) {
    const sent = raw[index]!
    if (sent.length === name.length && isSame(sent, name)) found = joined(name, found, raw[index + 1]!)
  }
  return found
}

/** The first letters are compared first, because lowering the case of a whole name takes longer. */
const isSame = (sent: string, name: string): boolean =>
  (sent.charCodeAt(0) | 0x20) === name.charCodeAt(0) && (sent === name || sent.toLowerCase() === name)

const joined = (name: string, before: string | undefined, value: string): string =>
  before === undefined ? value : firstOnly.has(name) ? before : `${before}${name === "cookie" ? "; " : ", "}${value}`
