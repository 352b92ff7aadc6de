/**
 * Finds secrets in texts, in whatever clothes: as they are, in base64 (at every offset), base64url, hex, escaped for
 * URLs and JSON; the whole and every piece of some length. Codes of six digits are found as words of their own.
 */

/** Shortest piece that gives a secret away. Unit: characters. */
const piece = 12

/** What is looked through: its name, and its text. */
export interface Place {
  readonly name: string
  readonly text: string
}

export interface Finding {
  readonly secret: string
  readonly place: string
  /** What was found, with a little around it. */
  readonly around: string
}

/** The ways in which a secret may be written down. */
export const formsOf = (secret: string): ReadonlyArray<string> => {
  const bytes = Buffer.from(secret, "utf8")
  const forms = [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams([["", secret]]).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString("hex")
  ]
  // Three bytes are four characters: inside other text it begins at one of three offsets, and its edges are mixed with
  // that.
  for (const offset of [0, 1, 2]) {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString("base64")
      .replace(/=+$/, "")
    const inner = text.slice(offset === 0 ? 0 : offset + 1, (bytes.length + offset) % 3 === 0 ? undefined : -1)
    forms.push(inner, inner.replaceAll("+", "-").replaceAll("/", "_"))
  }
  // Random bytes that are shown as base64url may be kept as bytes.
  const random = /^(?:sb[a-z]_)?([\w-]{42,44})$/.exec(secret)?.[1]
  if (random !== undefined)
    forms.push(Buffer.from(random, "base64url").toString("hex"), Buffer.from(random, "base64url").toString("base64"))
  return [...new Set(forms)]
}

/** `secrets`: by name. `allowed`: whether this one may stand there. */
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
