/**
 * Removes quoted strings and comments from a structured mail header. All mail programs read the rest in the same way.
 * Pure. It extracts no addresses and decodes nothing. Source: RFC 5322 §3.2.2 (comments nest), §3.2.4 (quoted strings),
 * §3.2.1 (`\` before any character in both).
 */

/** Replacements for removed parts; nothing by default. A replacement keeps the texts before and after it apart. */
export interface Marks {
  readonly quoted?: string
  readonly comment?: string
}

/**
 * The header without quoted strings and comments. Undefined when one of them is not closed. Linear in the length; the
 * caller limits the length.
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
