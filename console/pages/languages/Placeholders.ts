/** Splits a text into placeholders and the words between them, so that pages can highlight the placeholders. Pure. */
export interface Part {
  readonly text: string
  readonly placeholder: boolean
}

/**
 * A placeholder reaches from an opening brace to the brace that closes it, so a plural with all its forms is one
 * placeholder. A quoted brace is text. An unclosed brace makes the rest of the text a placeholder.
 */
export const partsOf = (text: string): ReadonlyArray<Part> => {
  const parts: Array<Part> = []
  let start = 0
  let depth = 0
  const close = (end: number, placeholder: boolean) => {
    if (end > start) parts.push({ text: text.slice(start, end), placeholder })
    start = end
  }
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === "'" && (text[at + 1] === "{" || text[at + 1] === "}")) {
      const end = text.indexOf("'", at + 2)
      at = end === -1 ? text.length : end
    } else if (sign === "{") {
      if (depth === 0) close(at, false)
      depth++
    } else if (sign === "}" && depth > 0) {
      depth--
      if (depth === 0) close(at + 1, true)
    }
  }
  close(text.length, depth > 0)
  return parts
}

/** Names of the placeholders, each once. */
export const namesOf = (text: string): ReadonlyArray<string> => [
  ...new Set(
    partsOf(text).flatMap(({ placeholder, text: part }) => {
      const name = placeholder ? /^\{\s*([\p{L}\p{N}_]+)/u.exec(part)?.[1] : undefined
      return name === undefined ? [] : [name]
    })
  )
]
