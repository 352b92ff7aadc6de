/** The actor that proposes, over a real database; what checks find is written by the test. */
import { it } from "@effect/vitest"
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { expect } from "vitest"
import { NotificationWanted } from "#core/contracts/Notifications.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import { transaction } from "#core/sql/Sql.ts"
import { Wake } from "#core/events/Wake.ts"
import { statusChecker } from "#daemons/status-checker/Daemon.ts"
import * as StatusFiles from "#daemons/status-checker/status-files/StatusFiles.ts"
import { operator } from "#daemons/status-checker/status/AdminChange.ts"
import * as IncidentChanges from "#daemons/status-checker/incidents/IncidentChanges.ts"
import { published } from "#daemons/status-checker/incidents/Store.ts"
import { proposer } from "#daemons/status-checker/proposals/Proposer.ts"
import { topic } from "#daemons/status-checker/status/Model.ts"
import type { ComponentStatus } from "#daemons/status-checker/status/Vocabulary.ts"
import { inFrame, run, until } from "#support/Frame.ts"
import { servicesFile } from "../Operation.ts"

const declared = { components: new Set(["webmail", "telephony", "dns"]), incidents: new Set<string>() }

const rig = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  const wake = yield* Wake
  yield* Migrations.run(statusChecker.migrations)
  /** As checks write it: so since so many seconds. */
  const seen = Effect.fnUntraced(function* (id: string, status: ComponentStatus, since: number) {
    yield* sql`insert into status_checker.component_state (component_id, status, since, checked_at) values (${id}, ${status}, now() - make_interval(secs => ${since}), now())
      on conflict (component_id) do update set status = excluded.status, since = excluded.since, checked_at = excluded.checked_at`
    yield* wake.announce(topic)
  })
  const drafts = sql<{
    id: string
    title: string
    severity: string
    components: ReadonlyArray<string>
    proposed_for: string | null
  }>`
    select id, title, severity, components, proposed_for from status_checker.incidents where published_at is null order by number`
  const becomes = (what: string, count: number) =>
    until(
      `there are ${count} drafts: ${what}`,
      Effect.map(drafts, ({ length }) => length === count)
    )
  /** A look that was begun after this and is over: what it was to do is done. */
  const looked = Effect.gen(function* () {
    // One more component that is down, which the next look proposes.
    yield* seen("dns", "major_outage", 3600)
    yield* until(
      "the next look is over",
      Effect.map(drafts, (rows) => rows.some(({ proposed_for }) => proposed_for === "dns"))
    )
    yield* seen("dns", "operational", 0)
    yield* until(
      "it is dropped",
      Effect.map(drafts, (rows) => !rows.some(({ proposed_for }) => proposed_for === "dns"))
    )
  })
  return { sql, seen, drafts, becomes, looked }
})

type Rig = Effect.Success<typeof rig>

const withProposer = <E, R>(test: (rig: Rig) => Effect.Effect<unknown, E, R>, incidents: ReadonlyArray<object> = []) =>
  Effect.scoped(
    Effect.flatMap(servicesFile, ({ directory, env }) => {
      const incidentsFile = `${directory}/incidents.json`
      writeFileSync(incidentsFile, JSON.stringify(incidents))
      return inFrame(
        Effect.gen(function* () {
          const place = yield* rig
          yield* run(proposer({ checkInterval: 300, proposeAfter: 600 }))
          yield* test(place)
        }).pipe(Effect.provide(StatusFiles.layer({ servicesFile: env.SERVICES_FILE, incidentsFile }))),
        { queues: [NotificationWanted.queue], names: ["status-checker"] }
      )
    })
  )

it.live(
  "a lasting outage is drafted and announced to the provider's admins, and dropped at recovery; nothing is published",
  () =>
    withProposer(({ becomes, drafts, seen, sql }) =>
      Effect.gen(function* () {
        yield* seen("telephony", "major_outage", 590)
        yield* seen("webmail", "partial_outage", 650)
        yield* becomes("both at once", 1)
        const [draft] = yield* drafts
        expect(draft).toMatchObject({
          title: "Ausfall: Webmail und Telefonie",
          severity: "critical",
          components: ["webmail", "telephony"],
          proposed_for: "webmail"
        })
        const [told] = yield* sql<{ data: any }>`select data from pgboss.job where name = ${NotificationWanted.queue}`
        expect(told!.data).toMatchObject({
          to: { tenant_admins: 1 },
          content: { type: "status.incident.proposed", severity: "warning", data: { incident_id: draft!.id } }
        })
        expect(told!.data.words.de.body).toMatch(/sind Webmail und Telefonie .*\nEin Entwurf/s)
        expect(told!.data.words.en.body).toMatch(/^Webmail and Telephony have been .*\nA draft/s)
        expect(told!.data.content.body).toBe(told!.data.words.en.body)
        const [event] = yield* sql<{
          tenant_id: number
          data: any
        }>`select tenant_id, data from core.event where type = 'status.incident.proposed'`
        expect(event).toMatchObject({
          tenant_id: 1,
          data: { incident_id: draft!.id, components: ["webmail", "telephony"], severity: "critical" }
        })
        yield* seen("telephony", "operational", 0)
        yield* seen("webmail", "degraded_performance", 0)
        yield* becomes("dropped", 0)
        const log = yield* sql<{ line: string }>`select actor || ' ' || action as line from core.audit order by id`
        expect(log.map(({ line }) => line)).toEqual(["system incident.proposed", "system incident.withdrawn"])
        expect(yield* published).toEqual([])
      })
    ),
  120_000
)

it.live(
  "an edited proposal is kept, and a deleted one is not proposed again until the component was up",
  () =>
    withProposer(({ becomes, drafts, looked, seen }) =>
      Effect.gen(function* () {
        yield* seen("webmail", "major_outage", 700)
        yield* becomes("proposed", 1)
        const { id } = (yield* drafts)[0]!
        yield* transaction(IncidentChanges.edit(id, { title: "Von Hand" }, declared, operator))
        yield* seen("webmail", "operational", 0)
        yield* looked
        expect((yield* drafts).map(({ title }) => title)).toEqual(["Von Hand"])

        yield* transaction(IncidentChanges.remove(id, operator))
        yield* seen("webmail", "major_outage", 700)
        yield* becomes("another outage, another draft", 1)
        const { id: second } = (yield* drafts)[0]!
        yield* transaction(IncidentChanges.remove(second, operator))
        yield* looked
        expect(yield* drafts).toEqual([])
        yield* seen("webmail", "operational", 0)
        yield* looked
        yield* seen("webmail", "major_outage", 700)
        yield* becomes("again after it was up", 1)
      })
    ),
  120_000
)

it.live(
  "an outage covered by the file or by maintenance is not proposed",
  () =>
    withProposer(
      ({ drafts, looked, seen, sql }) =>
        Effect.gen(function* () {
          yield* sql`insert into status_checker.maintenance (id, title, title_en, components, starts_at, ends_at) values ('m', '', '', '{telephony}', now() - interval '1 hour', now() + interval '1 hour')`
          yield* seen("webmail", "major_outage", 700)
          yield* seen("telephony", "major_outage", 700)
          yield* looked
          expect(yield* drafts).toEqual([])
        }),
      [
        {
          id: "by-hand",
          title: "Hand",
          title_en: "Hand",
          status: "identified",
          severity: "minor",
          components: ["webmail"],
          created_at: new Date().toISOString()
        }
      ]
    ),
  120_000
)
