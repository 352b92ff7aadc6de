/** Where in the mail a page is, and the address that says so. Pure. */

export const views = ["all", "unseen", "flagged"] as const
export type View = (typeof views)[number]

export interface Place {
  /** Number of the account; undefined: the one meant when none is named. */
  readonly account: string | undefined
  /** Its whole name. */
  readonly folder: string
  /** From 1. */
  readonly page: number
  /** Words searched for; empty: the whole folder. */
  readonly words: string
  readonly view: View
}

/** What an address says; what it does not say, and what it says wrongly, is the inbox's beginning. */
export const placeOf = (folder: string | undefined, query: Readonly<Record<string, string | undefined>>): Place => ({
  account: /^[1-9]\d{0,9}$/.test(query["account"] ?? "") ? query["account"] : undefined,
  folder: folder ?? "INBOX",
  page: /^[1-9]\d{0,6}$/.test(query["page"] ?? "") ? Number(query["page"]) : 1,
  words: query["q"] ?? "",
  view: views.find((view) => view === query["view"]) ?? "all"
})

/** Address of a list. */
export const listHref = ({ account, folder, page = 1, view = "all", words = "" }: Partial<Place>): string =>
  folder === undefined
    ? `/console/mail${queryOf({ account })}`
    : `/console/mail/${segment(folder)}${queryOf({ account, q: words, view: view === "all" ? "" : view, page: page === 1 ? "" : String(page) })}`

/** Address of a message, with what leads back to where it was found. */
export const messageHref = ({ account, folder, page, view, words }: Place, uid: number): string =>
  `/console/mail/${segment(folder)}/${uid}${queryOf({ account, q: words, view: view === "all" ? "" : view, page: page === 1 ? "" : String(page) })}`

/** Address of a new mail; `given`: what it begins with. */
export const composeHref = (account: string | undefined, given: Readonly<Record<string, string>> = {}): string =>
  `/console/mail/compose${queryOf({ account, ...given })}`

/** A folder may be called like the page for a new mail. */
const segment = (folder: string): string => (folder === "compose" ? "%63ompose" : encodeURIComponent(folder))

const queryOf = (fields: Readonly<Record<string, string | undefined>>): string => {
  const search = new URLSearchParams(
    Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined && field[1] !== "")
  )
  return search.size === 0 ? "" : `?${search}`
}
