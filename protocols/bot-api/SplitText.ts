/**
 * Splits a text into messages that the bot API accepts. Pure. Source: Bot API, sendMessage `text`: 1–4096 characters.
 */

/**
 * Longest message. Unit: UTF-16 units. The API counts characters after entity parsing; without parse_mode there are at
 * most this many.
 */
export const maxMessageLength = 4_096

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" })

/**
 * Parts of at most `limit` units, in order. A cut is after the last line end that fits, else after the last white
 * space, else between two graphemes. A single grapheme longer than `limit` is cut between two code points. White space
 * at a cut is dropped, and so are parts of white space only, because the API refuses them. The same text and limit
 * always give the same parts.
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
 * Units after the limit that are also read. Unit: UTF-16 units. Reason: the character after the limit, perhaps a
 * surrogate pair, decides whether the limit lies inside a grapheme.
 */
const lookAhead = 2

const cutAt = (text: string, limit: number): number => {
  // One unit more than fits: white space directly after the limit is dropped, so it needs no room.
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
