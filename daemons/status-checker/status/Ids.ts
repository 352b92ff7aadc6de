/** Ids of incidents and maintenance, such as `2026-01-31-webmail`. Pure. */

/** Longest id. Unit: characters. Reason: ids are part of addresses and of lists. */
export const maxIdLength = 80

/**
 * Letters, digits, dot, hyphen and underscore, starting with a letter or digit. Such ids need no escaping in addresses
 * and exclude `.` and `..`. Source: RFC 3986 §2.3.
 */
export const idPattern = /^[A-Za-z0-9][A-Za-z0-9._-]*$/

/** Longest slug. Unit: characters. Reason: readable at a glance. */
const maxSlug = 40

/** Words of a title in lower-case ASCII, joined by hyphens. */
export const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/ä/g, "ae")
    .replace(/ö/g, "oe")
    .replace(/ü/g, "ue")
    .replace(/ß/g, "ss")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, maxSlug)
    .replace(/^-+|-+$/g, "")

/** First free id of `2026-01-31-webmail`, `2026-01-31-webmail-2` and so on. */
export const idFor = (day: Date, title: string, isTaken: (id: string) => boolean): string => {
  const slug = slugOf(title)
  const base = `${day.toISOString().slice(0, 10)}${slug === "" ? "" : `-${slug}`}`
  for (let count = 1; ; count++) {
    const id = count === 1 ? base : `${base}-${count}`
    if (!isTaken(id)) return id
  }
}
