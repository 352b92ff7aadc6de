/**
 * Finds secrets in texts: plain, base64 (at every offset), base64url, hex, and escaped for URLs and JSON. It finds the
 * whole secret and every piece of a minimum length. Six-digit codes are found as separate words only.
 */

/** Shortest piece that counts as a leak. Unit: characters. */
const piece = 12

/** A text to scan, and its name. */
export interface Place {
  readonly name: string
  readonly text: string
}

export interface Finding {
  readonly secret: string
  readonly place: string
  /** The found text with some context. */
  readonly around: string
}

/** Encodings in which a secret may appear. */
export const formsOf = (secret: string): ReadonlyArray<string> => {
  const bytes = Buffer.from(secret, "utf8")
  const forms = [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams([["", secret]]).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString("hex")
  ]
  // Base64 encodes three bytes as four characters. Inside other text a secret begins at one of three offsets, and its
  // first and last characters also depend on the neighbours.
  for (const offset of [0, 1, 2]) {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString("base64")
      .replace(/=+$/, "")
    const inner = text.slice(offset === 0 ? 0 : offset + 1, (bytes.length + offset) % 3 === 0 ? undefined : -1)
    forms.push(inner, inner.replaceAll("+", "-").replaceAll("/", "_"))
  }
  // Random bytes shown as base64url may be stored as bytes.
  const random = /^(?:sb[a-z]_)?([\w-]{42,44})$/.exec(secret)?.[1]
  if (random !== undefined)
    forms.push(Buffer.from(random, "base64url").toString("hex"), Buffer.from(random, "base64url").toString("base64"))
  return [...new Set(forms)]
}

/** `secrets`: by name. `allowed`: whether this secret may appear at this place. */
export const scan = (
  secrets: ReadonlyMap<string, string>,
  places: ReadonlyArray<Place>,
  allowed: (secret: string, place: string) => boolean = () => false
): ReadonlyArray<Finding> => {
  const pieces = new Map<string, string>()
  const words = new Map<string, string>()
  for (const [name, secret] of secrets) {
    if (/^\d{6}$/.test(secret)) words.set(secret, name)
    else if (secret.length < piece) for (const form of formsOf(secret)) pieces.set(form.slice(0, piece), name)
    else
      for (const form of formsOf(secret))
        for (let at = 0; at + piece <= form.length; at++) pieces.set(form.slice(at, at + piece), name)
  }
  const shorter = [...pieces].filter(([text]) => text.length < piece)
  const found = new Map<string, Finding>()
  for (const { name: place, text } of places) {
    const note = (secret: string, at: number) => {
      if (!allowed(secret, place))
        found.set(`${secret} ${place}`, { secret, place, around: text.slice(Math.max(0, at - 150), at + 60) })
    }
    for (let at = 0; at + piece <= text.length; at++) {
      const secret = pieces.get(text.slice(at, at + piece))
      if (secret !== undefined) note(secret, at)
    }
    for (const [form, secret] of shorter) if (text.includes(form)) note(secret, text.indexOf(form))
    for (const { 0: word, index } of text.matchAll(/(?<![\w.:-])\d{6}(?![\w.:-])/g)) {
      const secret = words.get(word)
      if (secret !== undefined) note(secret, index)
    }
  }
  return [...found.values()]
}
