/**
 * TXT records as one text. Pure. On the wire a TXT is a list of strings of at most 255 octets, and readers join them
 * without a separator. The split has no meaning, so this form drops it. Readable characters stand for themselves. `"`,
 * `\` and unreadable octets are escaped as in RFC 1035 §5.1 (`\"`, `\\`, `\DDD`), and so are spaces at both ends. Each
 * sequence of octets has exactly one such text.
 */
import { Result } from "effect"

/** Longest string of a TXT. Unit: octets. Source: RFC 1035 §3.3. */
export const maxString = 255

/**
 * Longest whole TXT. Unit: octets. Reason: ten times the longest DKIM key in use, and the answer still fits one DNS
 * message over TCP.
 */
export const maxTxt = 4096

/**
 * Canonical text of input from a person or a provider: plain text, or quoted strings separated by spaces; both may have
 * escapes.
 */
export const canonicalTxt = (text: string): Result.Result<string, string> =>
  Result.flatMap(text.startsWith('"') ? quoted(text) : octetsOf(text), (octets) => {
    if (octets.length === 0) return Result.fail("must not be empty")
    return octets.length > maxTxt
      ? Result.fail(`has ${octets.length} octets, where at most ${maxTxt} are allowed`)
      : Result.succeed(txtText([octets]))
  })

/** Canonical text of the strings of a record. */
export const txtText = (strings: ReadonlyArray<Uint8Array>): string => {
  const octets = strings.length === 1 && strings[0] !== undefined ? Buffer.from(strings[0]) : Buffer.concat(strings)
  const text = plain(octets) ? octets.toString("latin1") : decoded(octets)
  return text.replace(/^ +| +$/g, (spaces) => "\\032".repeat(spaces.length))
}

/** Octets of a canonical text. */
export const txtOctets = (text: string): Buffer => {
  const octets = octetsOf(text)
  return Result.isSuccess(octets) ? octets.success : Buffer.from(text)
}

/**
 * Quoted strings of at most 255 octets, as in zone files and several provider APIs: `"v=DKIM1; p=…" "…"`. The result is
 * ASCII only.
 */
export const txtQuoted = (text: string): string => {
  const octets = txtOctets(text)
  const strings: Array<string> = []
  for (let at = 0; at < octets.length || at === 0; at += maxString) {
    strings.push(
      `"${Array.from(octets.subarray(at, at + maxString), (octet) => (octet === 32 ? " " : escaped(octet))).join("")}"`
    )
  }
  return strings.join(" ")
}

/** Whether no octet needs an escape, which is true for nearly all records. */
const plain = (octets: Buffer): boolean => {
  for (const octet of octets) if (octet < 32 || octet > 126 || octet === 34 || octet === 92) return false
  return true
}

const escaped = (octet: number): string =>
  octet === 34 || octet === 92
    ? `\\${String.fromCharCode(octet)}`
    : octet >= 32 && octet <= 126
      ? String.fromCharCode(octet)
      : `\\${String(octet).padStart(3, "0")}`

/** Visible characters beyond ASCII stand for themselves; invalid UTF-8 is escaped. */
const decoded = (octets: Buffer): string => {
  let text = ""
  for (let at = 0; at < octets.length;) {
    const octet = octets[at]!
    const length = octet < 0x80 ? 1 : octet >= 0xf0 ? 4 : octet >= 0xe0 ? 3 : octet >= 0xc0 ? 2 : 1
    const char = length === 1 ? "" : octets.toString("utf8", at, at + length)
    const whole =
      length > 1 &&
      Buffer.byteLength(char) === length &&
      Buffer.from(char).equals(octets.subarray(at, at + length)) &&
      !/[\p{C}\p{Z}\ufffd]/u.test(char)
    if (whole) {
      text += char
      at += length
    } else {
      text += escaped(octet)
      at++
    }
  }
  return text
}

/**
 * Octets of a text with its escapes resolved. As in zone files, `\` before another character stands for that character,
 * because some forms write `\;`.
 */
const octetsOf = (text: string): Result.Result<Buffer, string> => {
  if (!text.includes("\\")) return Result.succeed(Buffer.from(text))
  const parts: Array<Buffer> = []
  for (const [part, digits, literal] of text.matchAll(/\\(\d{3})|\\([^\d])|[^\\]+|\\/gu)) {
    if (digits !== undefined && Number(digits) <= 255) parts.push(Buffer.from([Number(digits)]))
    else if (literal !== undefined) parts.push(Buffer.from(literal))
    else if (part.startsWith("\\"))
      return Result.fail("has a \\ that begins no escape: write \\\\ for the character itself")
    else parts.push(Buffer.from(part))
  }
  return Result.succeed(Buffer.concat(parts))
}

const quoted = (text: string): Result.Result<Buffer, string> => {
  if (!/^"(?:[^"\\]|\\.)*"(?:\s*"(?:[^"\\]|\\.)*")*$/u.test(text))
    return Result.fail("has a quote that is not closed, or text outside of quotes")
  const parts = Array.from(text.matchAll(/"((?:[^"\\]|\\.)*)"/gu), (match) => octetsOf(match[1] ?? ""))
  const octets: Array<Buffer> = []
  for (const part of parts) {
    if (Result.isFailure(part)) return part
    octets.push(part.success)
  }
  return Result.succeed(Buffer.concat(octets))
}
