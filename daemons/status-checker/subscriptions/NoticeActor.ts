/**
 * Creates notices and their mails. Each update is notified once, identified by its hash, even when its text changes
 * later. Content that existed before the first start gets silent notices. Placed: one process of the fleet decides.
 * Source: interface document 3 §3.
 */
import { PgClient } from "@effect/sql-pg"
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Audit from "#core/log/Audit.ts"
import { providerTenant } from "#core/auth/Caller.ts"
import type { Database } from "#core/sql/Database.ts"
import { transaction } from "#core/sql/Sql.ts"
import { Actor, type ActorSpec, defaultStall } from "#core/supervision/Supervisor.ts"
import { Wake } from "#core/events/Wake.ts"
import * as Metrics from "#core/metrics/Metrics.ts"
import { StatusFiles } from "../status-files/Exports.ts"
import { merge, published } from "../incidents/Exports.ts"
import { announced } from "../maintenance/Exports.ts"
import { topic } from "../status/Model.ts"
import { mailTopic } from "./MailStore.ts"
import type { MailTransport } from "./MailTransport.ts"
import { type Notice, noticesOf } from "./NoticeList.ts"

/** Mark in `imports`: existing content has got its silent notices. */
const firstStart = "first start"

/** Mark of the NOTIFIED_FILE import in `imports`. Notices wait for it, because it tells what was already sent. */
const notifiedFile = "NOTIFIED_FILE"

const noticed = Metrics.counter("status_notices_total", {
  daemon: "status-checker",
  help: "Notices of incidents and maintenance, by kind; silent while mail is not configured.",
  labels: ["kind", "silent"]
})

export interface NoticeOptions {
  /** The transport that the present settings give. Undefined: no mail is configured; due notices are never mailed. */
  readonly transport: () => MailTransport | undefined
  /** Unit: seconds. */
  readonly checkInterval: number
  /** Whether notices wait for the import of NOTIFIED_FILE. */
  readonly waitsForImport: boolean
}

export const noticeActor = ({
  checkInterval,
  waitsForImport,
  transport
}: NoticeOptions): ActorSpec<SqlClient.SqlClient | PgClient.PgClient | Database | StatusFiles | Wake> => ({
  name: "notices",
  placed: true,
  stallAfter: Duration.max(defaultStall, Duration.seconds(2 * checkInterval)),
  run: Effect.gen(function* () {
    const actor = yield* Actor
    const files = yield* StatusFiles
    const wakeup = yield* (yield* Wake).subscribe(topic)
    const known = new Set<string>()
    while (true) {
      yield* actor.progress
      if (!files.incidentsKnown()) yield* actor.note("waiting until INCIDENTS_FILE can be read")
      else if (waitsForImport && !(yield* isImported(notifiedFile)))
        yield* actor.note("waiting for the import of NOTIFIED_FILE")
      else {
        const told = yield* createNotices(known, transport())
        if (told > 0) yield* Effect.logInfo(`${told} mails about incidents or maintenance created`)
        yield* actor.note(`${known.size} updates known`)
      }
      yield* wakeup.wait(Duration.seconds(checkInterval))
    }
  })
})

/** One look; returns the number of created mails. Adds the hashes of known notices to `known`. */
export const createNotices = Effect.fnUntraced(function* (known: Set<string>, transport: MailTransport | undefined) {
  const files = yield* StatusFiles
  const all = noticesOf({
    components: files.components(),
    incidents: merge(files.incidents(), yield* published),
    maintenance: yield* announced
  })
  yield* silenceExisting(all)
  const fresh = all.filter(({ hash }) => !known.has(hash))
  const before = fresh.length === 0 ? new Set() : yield* among(fresh)
  let mails = 0
  for (const notice of fresh) {
    if (!before.has(notice.hash)) mails += yield* storeNotice(notice, transport)
    known.add(notice.hash)
  }
  return mails
})

const isImported = Effect.fnUntraced(function* (source: string) {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql`select 1 from status_checker.imports where source = ${source}`).length > 0
})

/** At the first look, stores silent notices for all existing content, unless an import has stored notices. */
const silenceExisting = (all: ReadonlyArray<Notice>) =>
  transaction(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const first = yield* sql`insert into status_checker.imports (source) values (${firstStart}) on conflict do nothing
          returning 1`
      if (first.length === 0) return
      const [some] = yield* sql`select 1 from status_checker.notices limit 1`
      if (some !== undefined) return
      yield* sql`insert into status_checker.notices (hash, incident_id, silent)
      select t.hash, t.id, true from unnest(${all.map(({ hash }) => hash)}::text[],
      ${all.map(({ id }) => id)}::text[]) as t (hash, id) on conflict do nothing`
    })
  )

const among = Effect.fnUntraced(function* (fresh: ReadonlyArray<Notice>) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{
    hash: string
  }>`select hash from status_checker.notices where hash = any (${fresh.map(({ hash }) => hash)}::text[])`
  return new Set(rows.map(({ hash }) => hash))
})

/** Stores a notice and all its mails in one transaction. */
const storeNotice = Effect.fnUntraced(function* (
  { components, content, hash, id }: Notice,
  transport: MailTransport | undefined
) {
  const mails = yield* transaction(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const pg = yield* PgClient.PgClient
      const mine = yield* sql`insert into status_checker.notices (hash, incident_id, silent)
          values (${hash}, ${id}, ${transport === undefined}) on conflict do nothing returning 1`
      if (mine.length === 0 || transport === undefined) return 0
      // The row lock waits for subscribers who are leaving and then skips them.
      const [told] = yield* sql<{ count: number }>`with told as (
        insert into status_checker.mails (subscriber_id, kind, ref, message_id, content)
        select s.id, 'notice', ${hash}::text, ${`<notice.${hash.slice(0, 32)}.`}::text || s.id ||
        ${`@${transport.domain}>`}::text, ${pg.json(content)}::jsonb
          from status_checker.subscribers s
         where s.status = 'confirmed' and (cardinality(${components}::text[]) = 0 or s.components is null
         or s.components && ${components}::text[])
         order by s.id for key share of s
        on conflict (subscriber_id, kind, ref) do nothing returning 1)
      select count(*)::int as count from told`
      yield* Audit.write({
        tenantId: providerTenant,
        actor: "system",
        action: "notice.told",
        entity: "notice",
        id: hash,
        detail: { kind: content.kind, of: id, mails: told!.count }
      })
      yield* (yield* Wake).announce(mailTopic)
      return told!.count
    })
  )
  noticed.add({ kind: content.kind, silent: String(transport === undefined) })
  return mails
})
