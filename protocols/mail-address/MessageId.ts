/**
 * Extracts the message ids of a Message-ID or In-Reply-To header. Pure; never fails. Source: RFC 5322 §3.6.4, §4.5.4.
 *
 * Old programs write words around the ids, some programs omit the angle brackets, and long ids arrive folded. The
 * result is always `<id>` without white space, so ids compare as strings, case-sensitively. Several headers count as
 * one list.
 */
import { plain } from "./Plain.ts"

/** How much of the headers is read. Unit: UTF-16 units. Reason: twenty ids of the maximum length fit. */
const maxHeader = 20_000

/** Longest id. Unit: UTF-16 units. Source: RFC 5322 §2.1.1, the longest line. */
const maxId = 998

/**
 * The first `most` different ids. `values`: all headers of one name, in order. A header with an unclosed quote or
 * comment gives no ids.
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
    // Words without brackets count only when no id has brackets. They do not count in a shortened header, whose last
    // word may be incomplete.
    const ids = bracketed.length > 0 ? bracketed : whole ? text.split(/[\s,]+/) : []
    for (const id of ids) {
      if (found.size >= most) break
      if (id.length + 2 <= maxId && shape.test(id)) found.add(`<${id}>`)
    }
  }
  return [...found]
}

/**
 * Left side, `@`, right side; without spaces, quotes, angle brackets, control and invisible characters. The right side
 * may be a `[literal]`.
 */
const shape = /^[^\s"<>(),@\\\p{C}]+@[^\s"<>(),@\\\p{C}]+$/u
