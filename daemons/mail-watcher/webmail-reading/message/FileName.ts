/**
 * File names from messages, made safe to save, and the header that offers them. Pure.
 *
 * The library sanitize-filename 1.6.4 keeps U+202E, which hides the true extension of a name, and joins folders to the
 * name. content-disposition 3.0.0 has 390 lines for the 12 lines of `disposition`.
 */
import { oneLine } from "../HeaderText.ts"

/**
 * Longest name. Unit: UTF-16 code units. Reason: file systems accept 255 bytes; three bytes per character and some
 * room.
 */
const maxName = 80

/** Longest file extension that survives cutting. Unit: UTF-16 code units. */
const maxEnding = 12

/**
 * A name without folders, control characters and characters special to file systems or shells. `fallback` when nothing
 * is left.
 */
export const safeName = (name: string | undefined, fallback: string): string => {
  const base =
    oneLine(name ?? "", 10 * maxName)
      .split(/[/\\]/)
      .at(-1) ?? ""
  const clean = base
    .replace(/[<>:"|?*\p{C}]/gu, "_")
    .replace(/^[.\s]+|[.\s]+$/g, "")
    .replace(/\s+/g, " ")
  // Device names of Windows.
  const named = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(clean) ? `_${clean}` : clean
  if (named === "") return fallback
  if (named.length <= maxName) return named
  const dot = named.lastIndexOf(".")
  const ending = dot > 0 && named.length - dot <= maxEnding ? named.slice(dot) : ""
  return `${named.slice(0, maxName - ending.length)}${ending}`.toWellFormed()
}

/**
 * Content-Disposition with an ASCII name for old clients and the full name encoded. Source: RFC 6266 §4.3, RFC 8187.
 */
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

/** Image types that a browser may show inline. None of them contains scripts. */
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

/** Content type of a download: the sender's type if browsers handle it safely, else `application/octet-stream`. */
export const safeType = (type: string): string => (plainTypes.includes(type) ? type : "application/octet-stream")
