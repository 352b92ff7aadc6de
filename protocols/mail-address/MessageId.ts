/**
 * The message ids that a Message-ID or In-Reply-To header names. Pure and total. Source: RFC 5322 §3.6.4, §4.5.4.
 *
 * Old programs write words around the ids, careless ones leave the angle brackets away, long ids arrive folded. What
 * comes out is always `<id>` without space, so that ids compare as texts; case counts. Several headers are read as one
 * list.
 */
import { plain } from "./Plain.ts"

/** How much of a header is read. Unit: UTF-16 units. Reason: twenty of the longest ids would not be longer. */
const maxHeader = 20_000

/** Longest id. Unit: UTF-16 units. Source: RFC 5322 §2.1.1, the longest line. */
const maxId = 998

/**
 * `values`: every header of the name, in order; the first `most` different ids. An unclosed quote or comment gives
 * none.
 */
export const messageIds = (values: ReadonlyArray<string>, most: number): ReadonlyArray<string> => {
  const found = new Set<string>()
  let room = maxHeader
  for (const value of values) {
    if (room <= 0 || found.size >= most) break
    const whole = value.length <= room
    const text = plain(whole ? value : value.slice(0, room), { comment: " ", quoted: '"' })
    room -= value.length
    if (text === undefined) continue
    const bracketed = Array.from(text.matchAll(/<([^<>]*)>/g), (match) => match[1]!.replace(/\s+/g, ""))
    // Bare words only where nothing has brackets, and not of a header that was cut: its last word would be half of one.
    const ids = bracketed.length > 0 ? bracketed : whole ? text.split(/[\s,]+/) : []
    for (const id of ids) {
      if (found.size >= most) break
      if (id.length + 2 <= maxId && shape.test(id)) found.add(`<${id}>`)
    }
  }
  return [...found]
}

/**
 * Left, `@`, right: no space, quotes, brackets of angle, or control and invisible characters. A right side may be
 * `[literal]`.
 */
const shape = /^[^\s"<>(),@\\\p{C}]+@[^\s"<>(),@\\\p{C}]+$/u
