/**
 * SQL of cursors and the events about messages. A cursor moves in the transaction that writes the events, and only from
 * the position that the writer expects. If two processes watch a mailbox for a moment, the second one changes nothing
 * and emits nothing.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, Schema } from "effect"
import type { SqlError } from "effect/sql"
import { createHash } from "node:crypto"
import { MailFolderUpdate, MailNewMessage } from "#core/contracts/Mail.ts"
import { type Audience, Events } from "#core/events/Events.ts"
import { transaction } from "#core/sql/Sql.ts"
import type { Message } from "#protocols/imap-watch/Arrivals.ts"
import type { Account } from "../accounts/Exports.ts"
import type { FolderCursor, CursorStep } from "./FolderCursor.ts"

export type Watched = Pick<Account, "id" | "tenant_id" | "user_id" | "address">

/** Hash of a message that survives moving and copying within the mailbox: 128 bits in hex. */
const fingerprint = ({ fromAddr, internalDate, messageId, size, subject }: Message): string =>
  createHash("sha256")
    .update(JSON.stringify([messageId, messageId === "" ? [fromAddr, subject] : [], internalDate?.getTime(), size]))
    .digest("hex")
    .slice(0, 32)

export interface Counters {
  readonly messages: number
  readonly unseen: number
}

/** Who may see the events: the mailbox's owner, or operators when it has no owner. */
const audience = ({ tenant_id, user_id }: Watched): { readonly audience?: Audience } =>
  user_id === null ? {} : { audience: { tenantId: tenant_id, userId: user_id } }

const source = "mail-watcher"

/** Recorded state of a mailbox. */
export interface RecordedFolders {
  readonly cursors: Map<string, FolderCursor>
  /** Version of the recorded state. Every announcement increments it. */
  readonly version: number
}

export const load = (account: Watched): Effect.Effect<RecordedFolders, SqlError.SqlError, PgClient.PgClient> =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    // Read before the cursors: if another process announces in between, the version is stale and nothing is announced
    // with it.
    const [watch] = yield* sql<{
      turn: number
    }>`select turn::float8 as turn from mail_watcher.watch where account_id = ${account.id}`
    const rows = yield* sql<FolderCursor & { readonly name: string }>`
      select name, uid_validity::float8 as "uidValidity", uid_next::float8 as "uidNext", messages, unseen,
             (extract(epoch from since) * 1000)::float8 as since
        from mail_watcher.folder where account_id = ${account.id}`
    return { cursors: new Map(rows.map(({ name, ...cursor }) => [name, cursor])), version: watch?.turn ?? 0 }
  })

/** Begins, renames and drops cursors after a scan. */
export const apply = (account: Watched, steps: ReadonlyArray<CursorStep>) =>
  transaction(
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      for (const step of steps) {
        if (step._tag === "Begin") continue
        const cursor = sql`account_id = ${account.id} and uid_validity = ${step.cursor.uidValidity}
          and uid_next = ${step.cursor.uidNext}`
        yield* step._tag === "Drop"
          ? sql`delete from mail_watcher.folder where name = ${step.folder} and ${cursor}`
          : sql`update mail_watcher.folder f set name = ${step.folder} where name = ${step.from} and ${cursor}
            and not exists (select 1 from mail_watcher.folder o where o.account_id = f.account_id
              and o.name = ${step.folder})`
      }
      const begun = steps.flatMap((step) =>
        step._tag === "Begin" ? [{ name: step.folder, ...step.cursor, since: new Date(step.cursor.since) }] : []
      )
      if (begun.length === 0) return
      yield* sql`insert into mail_watcher.folder (account_id, tenant_id, name, uid_validity, uid_next, since,
        messages, unseen)
      select ${account.id}, ${account.tenant_id}, b.name, b."uidValidity", b."uidNext", b.since, b.messages, b.unseen
        from jsonb_to_recordset(${sql.json(begun)}::jsonb) as b (name text, "uidValidity" bigint, "uidNext" bigint,
          since timestamptz, messages int, unseen int)
      on conflict do nothing`
    })
  )

/** Resets the cursor of a recreated folder. False: another process already did. */
export const reset = (account: Watched, folder: string, from: FolderCursor, to: FolderCursor) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const moved = yield* sql`update mail_watcher.folder
      set uid_validity = ${to.uidValidity}, uid_next = ${to.uidNext}, since = ${new Date(to.since)},
        messages = ${to.messages}, unseen = ${to.unseen}
      where account_id = ${account.id} and name = ${folder} and uid_validity = ${from.uidValidity} returning 1`
    return moved.length > 0
  })

export interface Page {
  readonly folder: string
  readonly cursor: FolderCursor
  /** UID after the page. */
  readonly next: number
  /** Messages of the page that are new by their dates. */
  readonly recent: ReadonlyArray<Message>
  /** Whether the folder holds what the user wrote. There, only messages that a mail server delivered are announced. */
  readonly isOwnFolder: boolean
  readonly counters: Counters
  /** Version that the page was compared with. */
  readonly version: number
}

/**
 * Announces a page of messages, moves the cursor and increments the version. Undefined, with nothing announced: the
 * cursor moved or the version is stale, because another process announced messages of this mailbox. A message may have
 * been moved from the folder that it announced.
 *
 * Everything is one statement, which is its own transaction, because every further round trip delays the event. Two
 * concurrent statements meet at the row of `watch`: the second waits for the first and then finds a stale version.
 */
export const announce = (account: Watched, { counters, folder, cursor, isOwnFolder, next, recent, version }: Page) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const { announcement, emitting } = yield* Events
    const page = yield* Effect.forEach(recent, (message) =>
      Effect.map(
        newMessage({
          account: account.address,
          folder,
          message: { uid: message.uid, from_addr: message.fromAddr, subject: message.subject }
        }),
        (data) => ({ mark: fingerprint(message), silent: isOwnFolder && !message.isDelivered, data })
      )
    )
    const update =
      counters.messages !== cursor.messages || counters.unseen !== cursor.unseen
        ? [
            yield* folderUpdate({
              account: account.address,
              folder,
              unseen: counters.unseen,
              exists: counters.messages
            })
          ]
        : []
    const { tenantId = null, userId = null } = audience(account).audience ?? {}
    const seer = sql`${tenantId}::int as tenant_id, ${userId}::int as user_id`
    const [found] = yield* sql<{ moved: boolean }>`
      with taken as (
        update mail_watcher.watch set turn = turn + 1 where account_id = ${account.id} and turn = ${version}
        returning 1),
      moved as (
        update mail_watcher.folder set uid_next = ${next}, messages = ${counters.messages},
          unseen = ${counters.unseen}, event_at = now()
         where account_id = ${account.id} and name = ${folder} and uid_validity = ${cursor.uidValidity}
           and uid_next = ${cursor.uidNext}
           and exists (select 1 from taken)
        returning 1),
      page as (
        select decode(g.mark, 'hex') as mark, g.silent, g.data, g.place
          from rows from (jsonb_to_recordset(${sql.json(page)}::jsonb) as (mark text, silent boolean, data jsonb))
            with ordinality g (mark, silent, data, place)
         where exists (select 1 from moved)),
      noted as (
        insert into mail_watcher.announced (account_id, tenant_id, fingerprint, folder, uid_validity)
        select distinct ${account.id}::int, ${account.tenant_id}::int, mark, ${folder}, ${cursor.uidValidity}::bigint
          from page
        on conflict do nothing),
      told as (${emitting(
        MailNewMessage.type,
        source,
        sql`
        select ${seer}, g.data from page g
         where not g.silent and not exists (select 1 from mail_watcher.announced a
          where a.account_id = ${account.id} and a.fingerprint = g.mark
            and (a.folder, a.uid_validity) <> (${folder}, ${cursor.uidValidity}::bigint))
         order by g.place`
      )} returning 1),
      counted as (${emitting(
        MailFolderUpdate.type,
        source,
        sql`
        select ${seer}, u.data from jsonb_array_elements(${sql.json(update)}::jsonb) u (data)
         -- The count of rows in told orders this event after those of the messages.
         where exists (select 1 from moved) and (select count(*) from told) >= 0`
      )})
      select exists (select 1 from moved) as moved, case when exists (select 1 from moved)
        then (${announcement})::text end as announced`
    return found?.moved === true ? ({ ...cursor, ...counters, uidNext: next } satisfies FolderCursor) : undefined
  })

const newMessage = (data: typeof MailNewMessage.data.Type) =>
  Effect.orDie(Schema.encodeEffect(MailNewMessage.data)(data))
const folderUpdate = (data: typeof MailFolderUpdate.data.Type) =>
  Effect.orDie(Schema.encodeEffect(MailFolderUpdate.data)(data))

/** Records messages as announced without announcing them. */
export const remember = (account: Watched, folder: string, cursor: FolderCursor, messages: ReadonlyArray<Message>) =>
  Effect.flatMap(
    PgClient.PgClient,
    (sql) =>
      sql`insert into mail_watcher.announced (account_id, tenant_id, fingerprint, folder, uid_validity)
      select ${account.id}, ${account.tenant_id}, decode(mark, 'hex'), ${folder}, ${cursor.uidValidity}
        from jsonb_array_elements_text(${sql.json(messages.map(fingerprint))}::jsonb) g (mark) on conflict do nothing`
  )

/** Stores changed counters and emits an event, unless another process already did. */
export const storeCounters = (account: Watched, folder: string, cursor: FolderCursor, counters: Counters) =>
  transaction(
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const changed =
        yield* sql`update mail_watcher.folder set messages = ${counters.messages}, unseen = ${counters.unseen},
          event_at = now()
      where account_id = ${account.id} and name = ${folder} and uid_validity = ${cursor.uidValidity}
        and (messages, unseen) is distinct from (${counters.messages}::int, ${counters.unseen}::int) returning 1`
      if (changed.length > 0) yield* emitCounters(account, folder, counters)
    })
  )

const emitCounters = (account: Watched, folder: string, { messages, unseen }: Counters) =>
  Effect.flatMap(Events, (events) =>
    events.emit(
      MailFolderUpdate,
      source,
      { account: account.address, folder, unseen, exists: messages },
      audience(account).audience
    )
  )
