/** Decodes the bytes of a header text. Pure. Sources: RFC 6532 (UTF-8 in header fields), RFC 6855. */

/** Text of `bytes`, in which one character is one byte. Bytes beyond ASCII are UTF-8; when that is invalid, Latin-1. */
export const charactersOf = (bytes: string): string => {
  if (!/[\u0080-\u00ff]/.test(bytes)) return bytes
  try {
    return utf8.decode(Buffer.from(bytes, "latin1"))
  } catch {
    return bytes
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true })
