/** What a string's bytes say. Pure. Sources: RFC 6532 (UTF-8 in header fields), RFC 6855. */

/** `bytes`: one character a byte. Those beyond ASCII are UTF-8 or, when they are not, Latin-1. */
export const charactersOf = (bytes: string): string => {
  if (!/[\u0080-\u00ff]/.test(bytes)) return bytes
  try {
    return utf8.decode(Buffer.from(bytes, "latin1"))
  } catch {
    return bytes
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true })
