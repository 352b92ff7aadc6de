/**
 * Chooses the messages of a page without fetching the whole folder. An unfiltered list uses sequence numbers. A
 * filtered or sorted list uses ESEARCH with PARTIAL (RFC 5267, RFC 9394) and SORT (RFC 5256) where the server supports
 * them.
 */
import type { ImapFlow, SearchObject } from "imapflow"
import { type Value, isList, wordOf } from "#protocols/imap-watch/Values.ts"
import { command, isNumber, numbersOf } from "../../accounts/Exports.ts"
import type { Source } from "../AccountReader.ts"

/** Sort keys and their names in SORT. */
export const sortKeys = { date: "DATE", from: "FROM", subject: "SUBJECT", size: "SIZE" } as const

export interface PageRequest {
  readonly page: number
  readonly perPage: number
  readonly unseen?: boolean
  readonly flagged?: boolean
  readonly search?: SearchObject
  readonly sort?: keyof typeof sortKeys
  readonly ascending?: boolean
}

export interface PageSelection {
  /** Number of matching messages in the folder. */
  readonly total: number
  /** Message set for FETCH. Undefined: the page is empty. */
  readonly range: string | undefined
  /** Whether `range` and `order` contain UIDs instead of sequence numbers. */
  readonly uid: boolean
  /** Messages in display order. */
  readonly order: ReadonlyArray<number>
}

export const canSort = (client: ImapFlow): boolean => client.capabilities.has("SORT")

/** `exists` is the number of messages in the open folder. */
export const select = async (source: Source, exists: number, request: PageRequest): Promise<PageSelection> => {
  if (request.sort !== undefined) return sorted(source, request)
  return newest(exists, request) ?? searched(source.client, request)
}

/** A page of the whole folder, newest first. Undefined when the request filters or sorts. */
export const newest = (exists: number, request: PageRequest): PageSelection | undefined => {
  const { flagged, search, sort, unseen } = request
  if (sort !== undefined || unseen === true || flagged === true || search !== undefined) return undefined
  const { first, last } = fromEnd(exists, request)
  return last < 1
    ? { total: exists, range: undefined, uid: false, order: [] }
    : { total: exists, range: `${first}:${last}`, uid: false, order: downFrom(last, first) }
}

/** First and last position of a page in a list whose newest message is last. Positions start at 1. */
const fromEnd = (total: number, { page, perPage }: PageRequest) => {
  const last = total - (page - 1) * perPage
  return { first: Math.max(1, last - perPage + 1), last }
}

const downFrom = (last: number, first: number): ReadonlyArray<number> =>
  Array.from({ length: last - first + 1 }, (_, index) => last - index)

/** Selection of these messages in this order. `total` counts all matches. */
export const byUid = (total: number, order: ReadonlyArray<number>): PageSelection => ({
  total,
  range: order.length === 0 ? undefined : order.join(","),
  uid: true,
  order
})

const hasPartial = ({ capabilities }: ImapFlow, kind: "SEARCH" | "SORT"): boolean =>
  capabilities.has("PARTIAL") ||
  capabilities.has(`CONTEXT=${kind}`) ||
  (kind === "SORT" && capabilities.has("ESORT") && capabilities.has("CONTEXT=SEARCH"))

const searched = async (client: ImapFlow, request: PageRequest): Promise<PageSelection> => {
  // With WITHIN the library searches by seconds instead of days, and by a negative number for a day in the future,
  // which servers refuse.
  client.capabilities.delete("WITHIN")
  const query: SearchObject = {
    ...request.search,
    ...(request.unseen === true ? { seen: false } : {}),
    ...(request.flagged === true ? { flagged: true } : {})
  }
  if (!client.capabilities.has("ESEARCH") || !hasPartial(client, "SEARCH")) {
    const found = refused(await client.search(query, { uid: true }))
    const { first, last } = fromEnd(found.length, request)
    return byUid(found.length, last < 1 ? [] : found.slice(first - 1, last).reverse())
  }
  const count = refused(await client.search(query, { uid: true, returnOptions: ["COUNT"] }))
  const total = Array.isArray(count) ? count.length : (count.count ?? 0)
  const { first, last } = fromEnd(total, request)
  if (last < 1) return byUid(total, [])
  const found = refused(await client.search(query, { uid: true, returnOptions: [{ partial: `${first}:${last}` }] }))
  const uids = Array.isArray(found) ? found : numbersOf(found.partial?.messages ?? "", request.perPage)
  return byUid(
    total,
    [...uids].sort((a, b) => b - a)
  )
}

/** The library returns false for a refused command. */
const refused = <A>(found: A | false | undefined): A => {
  if (found === false || found === undefined)
    throw Object.assign(new Error("SEARCH was refused"), {
      responseStatus: "NO",
      responseText: "The mail server refused the search."
    })
  return found
}

const sorted = async ({ client, raw }: Source, request: PageRequest): Promise<PageSelection> => {
  const key = sortKeys[request.sort!]
  const criteria = [...(request.unseen === true ? ["UNSEEN"] : []), ...(request.flagged === true ? ["FLAGGED"] : [])]
  const order = request.ascending === true ? `(${key})` : `(REVERSE ${key})`
  const program = `${order} UTF-8 ${criteria.length === 0 ? "ALL" : criteria.join(" ")}`
  const first = (request.page - 1) * request.perPage + 1
  if (!client.capabilities.has("ESORT") || !hasPartial(client, "SORT")) {
    const uids = (await command(raw, `UID SORT ${program}`, "SORT")).flat().flatMap(numberIn)
    return byUid(uids.length, uids.slice(first - 1, first - 1 + request.perPage))
  }
  const range = `${first}:${first + request.perPage - 1}`
  const values = (await command(raw, `UID SORT RETURN (COUNT PARTIAL ${range}) ${program}`, "ESEARCH")).flat()
  const after = (name: string): Value | undefined =>
    values[values.findIndex((value) => wordOf(value)?.toUpperCase() === name) + 1]
  const partial = after("PARTIAL")
  const set = isList(partial) ? (wordOf(partial[1]) ?? "") : ""
  return byUid(Number(wordOf(after("COUNT"))) || 0, numbersOf(set, request.perPage))
}

const numberIn = (value: Value): ReadonlyArray<number> => {
  const word = wordOf(value) ?? ""
  return isNumber(word) ? [Number(word)] : []
}
