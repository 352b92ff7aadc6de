/**
 * Names of folders between the wire and people. Pure. Sources: RFC 3501 §5.1, §5.1.3 (modified UTF-7); RFC 9051 and RFC
 * 6855 (UTF-8). Dovecot 2.3 writes UTF-8 in the LIST answers of NOTIFY, whatever was agreed: hence both are read at any
 * time.
 */

/**
 * `bytes`: one character a byte. What is neither good UTF-8 nor good modified UTF-7 stays as it stands. `INBOX` in
 * capitals.
 */
export const decode = (bytes: string): string => {
  if (/^inbox$/i.test(bytes)) return "INBOX"
  return /[\u0080-\u00ff]/.test(bytes) ? fromUtf8(bytes) : fromUtf7(bytes)
}

/** To modified UTF-7: visible ASCII and space only. */
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

/** UTF-16, high byte first; `,` for `/`, no padding. */
const toBase64 = (run: string): string =>
  Buffer.from(run, "utf16le").swap16().toString("base64").replace(/=+$/, "").replaceAll("/", ",")

const fromBase64 = (run: string): string => {
  const bytes = Buffer.from(run.replaceAll(",", "/"), "base64")
  return bytes.length % 2 === 0 ? bytes.swap16().toString("utf16le") : ""
}
