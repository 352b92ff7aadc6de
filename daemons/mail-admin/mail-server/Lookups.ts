/**
 * Answers to Postfix's look-ups of domains, mailboxes, aliases and senders, from the views. Look-ups that arrive while
 * statements run are answered together by the next statement of their table.
 */
import { Effect, Exit } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as Batcher from "#core/sql/Batcher.ts"
import { notFound, type Reply } from "#protocols/postfix-socketmap/Reply.ts"

/** Maximum number of look-ups in one statement. Reason: more than one mail of many recipients asks at once. */
const batch = 100

/** Separates the local part from an extension (`anna+list@example.org`). Source: recipient_delimiter of our main.cf. */
const delimiter = "+"

/** An address without its extension, split at its last `@`; undefined when the key is not an address. */
export const addressOf = (key: string) => {
  const at = key.lastIndexOf("@")
  if (at < 1) return undefined
  const plus = key.indexOf(delimiter, 1)
  const end = plus === -1 || plus > at ? at : plus
  return { local: key.slice(0, end), extension: key.slice(end, at), domain: key.slice(at + 1) }
}

/** An address with an extension at the end of its local part. */
export const extended = (address: string, extension: string): string =>
  address.replace(/@[^@]*$/, (domain) => extension + domain)

/** Whether Postgres can store the key, and one of our names can equal it. */
const isPlain = (key: string) => /^[\x21-\x7e]+$/.test(key)

/** Values of one table by key; a key without values is not found. */
type Table = (
  keys: ReadonlyArray<string>
) => Effect.Effect<ReadonlyMap<string, ReadonlyArray<string>>, SqlError.SqlError, SqlClient.SqlClient>

interface Row {
  readonly key: string
  readonly value: string
}

const grouped = (rows: ReadonlyArray<Row>) => {
  const values = new Map<string, Array<string>>()
  for (const { key, value } of rows) values.set(key, [...(values.get(key) ?? []), value])
  return values
}

const domain: Table = Effect.fnUntraced(function* (keys) {
  const sql = yield* SqlClient.SqlClient
  return grouped(
    yield* sql<Row>`select domain as key, domain as value from mail_server.domain where domain = any(${keys}::text[])`
  )
})

/** Includes suspended mailboxes, which still receive mail. */
const mailbox: Table = Effect.fnUntraced(function* (keys) {
  const sql = yield* SqlClient.SqlClient
  return grouped(
    yield* sql<Row>`select address as key, address as value from mail_server.mailbox
      where address = any(${keys}::text[])`
  )
})

const split = (keys: ReadonlyArray<string>) => ({
  locals: keys.map((key) => key.slice(0, key.lastIndexOf("@"))),
  domains: keys.map((key) => key.slice(key.lastIndexOf("@") + 1))
})

const alias: Table = Effect.fnUntraced(function* (keys) {
  const sql = yield* SqlClient.SqlClient
  const { domains, locals } = split(keys)
  return grouped(
    yield* sql<Row>`select k.source || '@' || k.domain as key, a.destination as value
      from unnest(${locals}::text[], ${domains}::text[]) as k (source, domain)
      join mail_server.alias a on a.source = k.source and a.domain = k.domain order by a.destination`
  )
})

/** `offset 0` lets the view follow the aliases of each key alone. */
const sender: Table = Effect.fnUntraced(function* (keys) {
  const sql = yield* SqlClient.SqlClient
  const { domains, locals } = split(keys)
  return grouped(
    yield* sql<Row>`select k.source || '@' || k.domain as key, s.login as value
      from unnest(${locals}::text[], ${domains}::text[]) as k (source, domain)
      cross join lateral (select distinct login from mail_server.sender s
        where s.source = k.source and s.domain = k.domain offset 0) s order by s.login`
  )
})

const found = (values: ReadonlyArray<string> | undefined): Reply =>
  values === undefined ? notFound : { _tag: "Found", data: values.join(", ") }

const unknownTable: Reply = { _tag: "Temporary", reason: "the table is unknown" }

/** Makes the function that answers Postfix: given a table's name and a key, it returns the reply. */
export const make = Effect.gen(function* () {
  const batched = (table: Table) =>
    Batcher.make(
      (keys: ReadonlyArray<string>) =>
        Effect.map(Effect.exit(table([...new Set(keys)])), (done) =>
          keys.map((key) => Exit.map(done, (values) => values.get(key)))
        ),
      { most: batch }
    )
  const [ofDomain, ofMailbox] = [yield* batched(domain), yield* batched(mailbox)]
  const [ofAlias, ofSender] = [yield* batched(alias), yield* batched(sender)]
  const byAddress = (table: typeof ofAlias) =>
    Effect.fnUntraced(function* (key: string) {
      const address = addressOf(key)
      if (address === undefined) return { values: undefined, extension: "" }
      const { domain: of, extension, local } = address
      return { values: yield* table(`${local}@${of}`), extension }
    })
  const aliases = byAddress(ofAlias)
  const tables: Record<string, (key: string) => Effect.Effect<Reply, SqlError.SqlError>> = {
    domains: (key) => Effect.map(ofDomain(key), found),
    mailboxes: (key) => Effect.map(byAddress(ofMailbox)(key), ({ values }) => found(values)),
    // An extension goes with the mail to the destinations, as with Postfix's own tables.
    aliases: (key) =>
      Effect.map(aliases(key), ({ extension, values }) => found(values?.map((to) => extended(to, extension)))),
    senders: (key) => Effect.map(byAddress(ofSender)(key), ({ values }) => found(values))
  }
  return (name: string, key: string): Effect.Effect<Reply, SqlError.SqlError> => {
    const table = Object.hasOwn(tables, name) ? tables[name] : undefined
    if (table === undefined) return Effect.succeed(unknownTable)
    return isPlain(key) ? table(key.toLowerCase()) : Effect.succeed(notFound)
  }
})
