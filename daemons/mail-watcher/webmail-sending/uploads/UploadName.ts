/**
 * What an uploaded file is called and is, from what its sender says: a name without folders and control characters, a media type that
 * a part of a mail may have. Pure. Source: RFC 6266 (Content-Disposition), RFC 8187 (filename*), RFC 2045 §5.1.
 */

/** Unit: characters. Reason: what file systems take. */
const maxName = 200

const unnamed = "attachment"
const bytes = "application/octet-stream"

/** `query` wins over the header. */
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
      // The plain one is for this.
    }
  }
  const [, quoted, plain] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header) ?? []
  return quoted?.replace(/\\(.)/g, "$1") ?? plain
}

/** Type and subtype only. A whole message or a multipart would be read as part of the mail's own structure. */
export const mediaType = (header: string | undefined): string => {
  const type = (header ?? "").split(";", 1)[0]!.trim().toLowerCase()
  return /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,63}$/.test(type) &&
    !/^(multipart|message)\//.test(type)
    ? type
    : bytes
}
