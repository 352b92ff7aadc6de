/** Names of files as strangers wrote them, made safe to save under, and the header that offers them. Pure. */
import { oneLine } from "../HeaderText.ts"

/** Longest name. Unit: UTF-16 units. Reason: file systems take 255 bytes; three bytes a character and some room. */
const maxName = 80

/** Longest ending that is kept when a name is cut. Unit: UTF-16 units. */
const maxEnding = 12

/** A name without folders, control characters, and what file systems or shells read as something else; `fallback` when nothing is left. */
export const safeName = (name: string | undefined, fallback: string): string => {
  const base =
    oneLine(name ?? "", 10 * maxName)
      .split(/[/\\]/)
      .at(-1) ?? ""
  const clean = base
    .replace(/[<>:"|?*\p{C}]/gu, "_")
    .replace(/^[.\s]+|[.\s]+$/g, "")
    .replace(/\s+/g, " ")
  // Names that Windows gives to devices.
  const named = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(clean) ? `_${clean}` : clean
  if (named === "") return fallback
  if (named.length <= maxName) return named
  const dot = named.lastIndexOf(".")
  const ending = dot > 0 && named.length - dot <= maxEnding ? named.slice(dot) : ""
  return `${named.slice(0, maxName - ending.length)}${ending}`.toWellFormed()
}

/** Source: RFC 6266 §4.3 with RFC 8187: the plain name for old clients, the whole one encoded. */
export const disposition = (kind: "attachment" | "inline", name: string): string => {
  const plain = name
    .normalize("NFKD")
    .replace(/[^\x20-\x7e]/g, "_")
    .replace(/["\\%]/g, "_")
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`
  )
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`
}

/** Images that a page may show; nothing in them runs. */
export const shownImages: ReadonlyArray<string> = ["image/png", "image/jpeg", "image/gif", "image/webp"]

const plainTypes: ReadonlyArray<string> = [
  ...shownImages,
  "application/pdf",
  "application/zip",
  "text/plain",
  "text/csv",
  "text/calendar",
  "audio/mpeg",
  "video/mp4"
]

/** The type that is said of a file: the sender's, where no browser makes more of it than it is. */
export const safeType = (type: string): string => (plainTypes.includes(type) ? type : "application/octet-stream")
