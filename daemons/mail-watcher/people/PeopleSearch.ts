/** Whom mail may be meant for, from some letters of their name or address: the address book and recent recipients. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Account } from "../accounts/Account.ts"
import { maxWord } from "./ContactFields.ts"
import { fold } from "./Folding.ts"
import { type Found, halfLife, rank } from "./Ranking.ts"

/** People in one answer. Unit: people. */
export const defaultPeople = 10
export const maxPeople = 50

/** Words of a query that count. Unit: words. */
const maxWords = 8

/** Recent recipients that are ranked, those with the most weight. Unit: people. Reason: many times the answer. */
const maxRanked = 500

/** Rows of words read for each person of the answer. Unit: rows. Reason: a person has several words that begin alike: name, address, both parts of it. */
const wordsEach = 10

/**
 * Each word of `q` stands in the name, the company or the address, whatever its case and accents. Recent recipients are few (`maxRecent`) and
 * all looked at; the address book by an index of how its words begin, and only where that gives too few, within words as well.
 */
export const search = Effect.fnUntraced(function*(account: Account, q: string, limit: number) {
  const sql = yield* SqlClient.SqlClient
  const words = fold(q).split(" ").filter((word) => word !== "").slice(0, maxWords)
  if (words.length === 0) return []
  const holds = (folded: string) => sql.and(words.map((word) => sql`strpos(${sql(folded)}, ${word}) > 0`))

  // What is in the address book too is found by either name.
  const recent = yield* sql<Found>`
    select r.address, coalesce(e.name, r.name) as name, case when e.address is null then 'recent' else 'address_book' end as source,
      coalesce(e.folded, r.folded) as folded, r.uses, extract(epoch from now() - r.last_used_at)::float8 / 86400 as days
    from mail_watcher.recent_recipient r
      left join mail_watcher.contact_email e on e.account_id = r.account_id and e.address = r.address
    where r.account_id = ${account.id} and (${holds("r.folded")} or ${holds("e.folded")})
    order by r.uses * power(0.5, extract(epoch from now() - r.last_used_at)::float8 / ${halfLife * 86_400}::float8) desc limit ${maxRanked}`

  const book = sql`e.address, e.name, 'address_book' as source, e.folded, 0 as uses, 0::float8 as days`
  // By comparisons that the planner trusts behind row-level security, as it does not trust LIKE.
  const first = Array.from(words.reduce((longest, word) => word.length > longest.length ? word : longest)).slice(0, maxWord).join("")
  const beginning = yield* sql<Found>`select ${book} from mail_watcher.contact_word w join mail_watcher.contact_email e on e.contact_id = w.contact_id
    where w.account_id = ${account.id} and w.word >= ${first} and w.word < ${`${first}\u{10ffff}`} and ${holds("e.folded")}
    order by w.word limit ${limit * wordsEach}`
  const found = [...recent, ...beginning]
  if (new Set(found.map(({ address }) => address)).size >= limit) return rank(found, words, limit)
  const within = yield* sql<Found>`select ${book} from mail_watcher.contact_email e where e.account_id = ${account.id} and ${holds("e.folded")} limit ${limit}`
  return rank([...found, ...within], words, limit)
})
