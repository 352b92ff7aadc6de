/**
 * Converts folder names between the wire and text. Pure. Sources: RFC 3501 §5.1, §5.1.3 (modified UTF-7); RFC 9051 and
 * RFC 6855 (UTF-8). Both encodings are always accepted, because Dovecot 2.3 sends UTF-8 in the LIST responses of NOTIFY
 * even when it was not enabled.
 *
 * The library utf7 1.0.2 decodes a name in 0.5 times the time (five names, Node 24). It does not detect names in UTF-8,
 * and it would be one more dependency for 42 lines that run once per folder.
 */

/**
 * Decodes a name. `bytes`: one character per byte. A name that is neither valid UTF-8 nor valid modified UTF-7 stays as
 * it is. `INBOX` in any case becomes upper case.
 */
export const decode = (bytes: string): string => {
  if (/^inbox$/i.test(bytes)) return "INBOX"
  return /[\u0080-\u00ff]/.test(bytes) ? fromUtf8(bytes) : fromUtf7(bytes)
}

/** Encodes a name in modified UTF-7, which has only visible ASCII and spaces. */
export const encode = (name: string): string =>
  name.replace(/&|[^\u0020-\u007e]+/g, (run) => (run === "&" ? "&-" : `&${toBase64(run)}-`))

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const fromUtf8 = (bytes: string): string => {
  try {
    return utf8.decode(Buffer.from(bytes, "latin1"))
  } catch {
    return bytes
  }
}

const fromUtf7 = (bytes: string): string => {
  const name = bytes.replace(/&([^-]*)-/g, (_, run: string) => (run === "" ? "&" : fromBase64(run)))
  return encode(name) === bytes ? name : bytes
}

/** Base64 of UTF-16BE, with `,` instead of `/` and without padding. */
const toBase64 = (run: string): string =>
  Buffer.from(run, "utf16le").swap16().toString("base64").replace(/=+$/, "").replaceAll("/", ",")

const fromBase64 = (run: string): string => {
  const bytes = Buffer.from(run.replaceAll(",", "/"), "base64")
  return bytes.length % 2 === 0 ? bytes.swap16().toString("utf16le") : ""
}
