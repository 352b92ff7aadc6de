/** Splits a text into messages that the bot API takes. Pure; source: Bot API, sendMessage `text`: 1–4096 characters. */

/** Unit: UTF-16 units. The API counts characters after entity parsing; without parse_mode that is at most this. */
export const maxMessageLength = 4_096

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" })

/**
 * Parts of at most `limit` units, in order: cut after the last line end that fits, else after the last white space,
 * else between two graphemes; a single grapheme longer than `limit` between two code points. White space at a cut and
 * parts of nothing else are dropped, since the API refuses them. The same text and limit give the same parts.
 */
export const splitText = (text: string, limit: number = maxMessageLength): ReadonlyArray<string> => {
  const parts: Array<string> = []
  let rest = text.trim()
  while (rest.length > limit) {
    const cut = cutAt(rest, limit)
    const part = rest.slice(0, cut).trimEnd()
    if (part !== "") parts.push(part)
    rest = rest.slice(cut).trimStart()
  }
  if (rest !== "") parts.push(rest)
  return parts
}

/**
 * Unit: UTF-16 units. Reason: whether two characters belong together is seen from the one behind the limit, a surrogate
 * pair.
 */
const lookAhead = 2

const cutAt = (text: string, limit: number): number => {
  // One unit more than fits: white space just behind the limit is dropped and needs no room.
  const head = text.slice(0, limit + 1)
  const line = head.lastIndexOf("\n")
  if (line > 0) return line
  const space = /\s(?=\S*$)/.exec(head)?.index ?? 0
  if (space > 0) return space
  let cut = 0
  for (const { index } of graphemes.segment(text.slice(0, limit + lookAhead))) {
    if (index > limit) break
    cut = index
  }
  if (cut > 0) return cut
  return /[\uD800-\uDBFF]/.test(text.charAt(limit - 1)) && limit > 1 ? limit - 1 : limit
}
