/** Location within the mail pages, and its URL. Pure. */

/** `threads`: messages grouped by conversation. */
export const views = ["all", "unseen", "flagged", "threads"] as const
export type View = (typeof views)[number]

export interface Place {
  /** Id of the account; undefined for the default account. */
  readonly account: string | undefined
  /** Full name of the folder. */
  readonly folder: string
  /** Page number, starting at 1. */
  readonly page: number
  /** Search words; empty for the whole folder. */
  readonly words: string
  readonly view: View
}

/** Location from a URL; missing or invalid parts get the default, which is the first page of the inbox. */
export const placeOf = (folder: string | undefined, query: Readonly<Record<string, string | undefined>>): Place => ({
  account: /^[1-9]\d{0,9}$/.test(query["account"] ?? "") ? query["account"] : undefined,
  folder: folder ?? "INBOX",
  page: /^[1-9]\d{0,6}$/.test(query["page"] ?? "") ? Number(query["page"]) : 1,
  words: query["q"] ?? "",
  view: views.find((view) => view === query["view"]) ?? "all"
})

/** URL of a message list. */
export const listHref = ({ account, folder, page = 1, view = "all", words = "" }: Partial<Place>): string =>
  folder === undefined
    ? `/console/mail${queryOf({ account })}`
    : `/console/mail/${segment(folder)}${queryOf({ account, q: words, view: view === "all" ? "" : view, page: page === 1 ? "" : String(page) })}`

/** URL of a message; it contains the list to return to. */
export const messageHref = ({ account, folder, page, view, words }: Place, uid: number): string =>
  `/console/mail/${segment(folder)}/${uid}${queryOf({ account, q: words, view: view === "all" ? "" : view, page: page === 1 ? "" : String(page) })}`

/** URL for writing a mail; `given`: its initial content. */
export const composeHref = (account: string | undefined, given: Readonly<Record<string, string>> = {}): string =>
  `/console/mail/compose${queryOf({ account, ...given })}`

/** Escapes a folder named like the page for writing a mail. */
const segment = (folder: string): string => (folder === "compose" ? "%63ompose" : encodeURIComponent(folder))

const queryOf = (fields: Readonly<Record<string, string | undefined>>): string => {
  const search = new URLSearchParams(
    Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined && field[1] !== "")
  )
  return search.size === 0 ? "" : `?${search}`
}
