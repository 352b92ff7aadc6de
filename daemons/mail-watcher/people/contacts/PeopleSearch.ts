/** Whom mail may be meant for, from some letters of their name or address: the address book and recent recipients. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Account } from "../../accounts/Exports.ts"
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

/** Addresses looked at for words that stand within others, those of the newest contacts. Unit: addresses. Reason: some ten milliseconds. */
const maxWithin = 20_000

/**
 * Each word of `q` stands in the name, the company or the address, whatever its case and accents. Recent recipients are few (`maxRecent`) and
 * all looked at; the address book by an index of how its words begin, and only where that gives too few, within the words of `maxWithin`.
 */
export const search = Effect.fnUntraced(function* (account: Account, q: string, limit: number) {
  const sql = yield* SqlClient.SqlClient
  const words = fold(q)
    .split(" ")
    .filter((word) => word !== "")
    .slice(0, maxWords)
  if (words.length === 0) return []
  const holds = (folded: string) => sql.and(words.map((word) => sql`strpos(${sql(folded)}, ${word}) > 0`))

  // What is in the address book too is found by either name.
  const recent = yield* sql<Found>`
    select r.address, coalesce(e.name, r.name) as name, case when e.name is null then 'recent' else 'address_book' end as source,
      coalesce(e.folded, r.folded) as folded, r.uses, extract(epoch from now() - r.last_used_at)::float8 / 86400 as days
    from mail_watcher.recent_recipient r left join lateral (
      select e.name, e.folded from mail_watcher.contact_email e where e.account_id = r.account_id and e.address = r.address order by e.contact_id limit 1) e on true
    where r.account_id = ${account.id} and (${holds("r.folded")} or ${holds("e.folded")})
    order by r.uses * power(0.5, extract(epoch from now() - r.last_used_at)::float8 / ${halfLife * 86_400}::float8) desc limit ${maxRanked}`

  const book = sql`e.address, e.name, 'address_book' as source, e.folded, 0 as uses, 0::float8 as days`
  // By comparisons that the planner trusts behind row-level security, as it does not trust LIKE. It begins with the word that fewest have.
  const begins = sql.and([
    "true",
    ...words.slice(1).map(
      (word) => sql`exists (select 1 from mail_watcher.contact_word o
    where o.account_id = ${account.id} and o.contact_id = w.contact_id and ${beginning(sql, "o.word", word)})`
    )
  ])
  const first =
    yield* sql<Found>`select ${book} from mail_watcher.contact_word w join mail_watcher.contact_email e on e.contact_id = w.contact_id
    where w.account_id = ${account.id} and ${beginning(sql, "w.word", words[0]!)} and ${begins} and ${holds("e.folded")}
    ${words.length === 1 ? sql`order by w.word` : sql``} limit ${limit * wordsEach}`
  const found = [...recent, ...first]
  if (new Set(found.map(({ address }) => address)).size >= limit) return rank(found, words, limit)
  const within =
    yield* sql<Found>`select ${book} from (select * from mail_watcher.contact_email where account_id = ${account.id}
    order by contact_id desc limit ${maxWithin}) e where ${holds("e.folded")} limit ${limit}`
  return rank([...found, ...within], words, limit)
})

const beginning = (sql: SqlClient.SqlClient, column: string, word: string) => {
  const known = Array.from(word).slice(0, maxWord).join("")
  return sql`${sql(column)} >= ${known} and ${sql(column)} < ${`${known}\u{10ffff}`}`
}
