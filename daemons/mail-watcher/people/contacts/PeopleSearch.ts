/** Suggests recipients from the address book and recent recipients. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Account } from "../../accounts/Exports.ts"
import { maxWord } from "./ContactFields.ts"
import { fold } from "./Folding.ts"
import { type Found, halfLife, rank } from "./Ranking.ts"

/** People in one answer. Unit: people. */
export const defaultPeople = 10
export const maxPeople = 50

/** Maximum number of words of a query that are used. */
const maxWords = 8

/** Maximum number of recent recipients that are ranked, by weight. Unit: people. Reason: many times the answer. */
const maxRanked = 500

/**
 * Word rows read per person of the answer. Unit: rows. Reason: a person may have several words with the same prefix.
 */
const wordsEach = 10

/** Maximum number of addresses of the newest contacts that are searched inside words. Reason: ten milliseconds. */
const maxWithin = 20_000

/**
 * Finds people whose name, company or address contains every word of `q`, ignoring case and accents. All recent
 * recipients are compared (`maxRecent`). The address book is searched by a prefix index. If that finds too few people,
 * the newest `maxWithin` addresses are searched inside words.
 */
export const search = Effect.fnUntraced(function* (account: Account, q: string, limit: number) {
  const sql = yield* SqlClient.SqlClient
  const words = fold(q)
    .split(" ")
    .filter((word) => word !== "")
    .slice(0, maxWords)
  if (words.length === 0) return []
  const holds = (folded: string) => sql.and(words.map((word) => sql`strpos(${sql(folded)}, ${word}) > 0`))

  // A recent recipient in the address book is found by both names.
  const recent = yield* sql<Found>`
    select r.address, coalesce(e.name, r.name) as name,
      case when e.name is null then 'recent' else 'address_book' end as source,
      coalesce(e.folded, r.folded) as folded, r.uses, extract(epoch from now() - r.last_used_at)::float8 / 86400 as days
    from mail_watcher.recent_recipient r left join lateral (
      select e.name, e.folded from mail_watcher.contact_email e where e.account_id = r.account_id
        and e.address = r.address order by e.contact_id limit 1) e on true
    where r.account_id = ${account.id} and (${holds("r.folded")} or ${holds("e.folded")})
    order by r.uses
        * power(0.5, extract(epoch from now() - r.last_used_at)::float8 / ${halfLife * 86_400}::float8) desc
    limit ${maxRanked}`

  const book = sql`e.address, e.name, 'address_book' as source, e.folded, 0 as uses, 0::float8 as days`
  // Range comparisons instead of LIKE: behind row-level security the planner uses an index only for leakproof
  // operators.
  const begins = sql.and([
    "true",
    ...words.slice(1).map(
      (word) => sql`exists (select 1 from mail_watcher.contact_word o
    where o.account_id = ${account.id} and o.contact_id = w.contact_id and ${beginning(sql, "o.word", word)})`
    )
  ])
  const first = yield* sql<Found>`select ${book} from mail_watcher.contact_word w
      join mail_watcher.contact_email e on e.contact_id = w.contact_id
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
