/**
 * A structured mail header without its quoted strings and comments: what is left is what every reader reads alike.
 * Pure. It takes no addresses out and decodes nothing. Source: RFC 5322 §3.2.2 (comments nest), §3.2.4 (quoted
 * strings), §3.2.1 (`\` before any character, inside either).
 */

/**
 * What stands in the place of what was taken out; default: nothing. A mark keeps what it parted from growing together.
 */
export interface Marks {
  readonly quoted?: string
  readonly comment?: string
}

/**
 * Undefined when a quoted string or a comment is not closed. Linear in the length; bounding that is the caller's part.
 */
export const plain = (header: string, marks: Marks = {}): string | undefined => {
  let rest = ""
  let depth = 0
  let quoted = false
  for (let i = 0; i < header.length; i++) {
    const char = header.charAt(i)
    if (char === "\\" && (quoted || depth > 0)) i++
    else if (quoted) quoted = char !== '"'
    else if (char === '"' && depth === 0) {
      quoted = true
      rest += marks.quoted ?? ""
    } else if (char === "(") {
      depth++
      rest += marks.comment ?? ""
    } else if (char === ")" && depth > 0) depth--
    else if (depth === 0) rest += char
  }
  return quoted || depth > 0 ? undefined : rest
}
