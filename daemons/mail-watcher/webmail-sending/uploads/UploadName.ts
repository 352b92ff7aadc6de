/**
 * Name and media type of an uploaded file, from its request. The name has no folders and control characters; the type
 * is valid for a part of a mail. Pure. Source: RFC 6266 (Content-Disposition), RFC 8187 (filename*), RFC 2045 §5.1.
 *
 * The library content-disposition 3.0.0 keeps the folders in a name. It has 390 lines for the 12 lines of `fromHeader`.
 */

/** Longest name. Unit: characters. Reason: limit of file systems. */
const maxName = 200

const unnamed = "attachment"
const bytes = "application/octet-stream"

/** `query` takes precedence over the header. */
export const fileName = (query: string | undefined, disposition: string | undefined): string =>
  cleaned(query ?? fromHeader(disposition ?? "") ?? "")

const cleaned = (name: string): string => {
  const last = name
    .toWellFormed()
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ")
    .split(/[/\\]/)
    .at(-1)!
    .trim()
  const short = Array.from(last).slice(0, maxName).join("").trim()
  return /^\.*$/.test(short) ? unnamed : short
}

const fromHeader = (header: string): string | undefined => {
  const encoded = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header)?.[1]
  if (encoded !== undefined) {
    try {
      return decodeURIComponent(encoded)
    } catch {
      // The plain file name is the fallback.
    }
  }
  const [, quoted, plain] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header) ?? []
  return quoted?.replace(/\\(.)/g, "$1") ?? plain
}

/**
 * Type and subtype without parameters. `message/*` and `multipart/*` are refused, because mail clients would parse them
 * as parts of the mail.
 */
export const mediaType = (header: string | undefined): string => {
  const type = (header ?? "").split(";", 1)[0]!.trim().toLowerCase()
  return /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,63}$/.test(type) &&
    !/^(multipart|message)\//.test(type)
    ? type
    : bytes
}
