/** How incidents and maintenance are called: `2026-01-31-webmail`, readable in an address. Pure. */

/** Longest id. Unit: characters. Reason: part of an address, and of a line of a list. */
export const maxIdLength = 80

/**
 * Letters, digits, dot, hyphen and underscore, none of these three first: no escape in an address, no `.` and `..`.
 * Source: RFC 3986 §2.3.
 */
export const idPattern = /^[A-Za-z0-9][A-Za-z0-9._-]*$/

/** Longest slug. Unit: characters. Reason: a glance. */
const maxSlug = 40

/** Words of a title in small ASCII letters. */
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

/** The first of `2026-01-31-webmail`, `2026-01-31-webmail-2` … that is not taken. */
export const idFor = (day: Date, title: string, isTaken: (id: string) => boolean): string => {
  const slug = slugOf(title)
  const base = `${day.toISOString().slice(0, 10)}${slug === "" ? "" : `-${slug}`}`
  for (let count = 1; ; count++) {
    const id = count === 1 ? base : `${base}-${count}`
    if (!isTaken(id)) return id
  }
}
