/** Who is told of what, over real mail. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import { until } from "#support/Frame.ts"
import { freshDatabase } from "#support/Postgres.ts"
import { base, type Incident, linkIn, mailRig, pathOf } from "./MailRig.ts"

const old: Incident = {
  id: "old",
  updates: [{ at: "2026-01-05T08:00:00Z" }, { at: "2026-01-05T09:00:00Z", status: "resolved" }],
  status: "resolved"
}

/** Of notices, in the order in which they came. */
const subjects = (rig: Effect.Success<ReturnType<typeof mailRig>>, email: string) =>
  rig
    .mailsTo(email)
    .map(({ mail }) => mail.subject)
    .filter((subject) => !/confirm|bestätigen/.test(subject!))

describe("notices", () => {
  it.live(
    "announce each update once, in the reader's language, and nothing that existed at the start",
    () =>
      Effect.gen(function* () {
        const rig = yield* mailRig({ incidents: [old] })
        yield* rig.confirmed("anna@example.test", "de")
        yield* rig.confirmed("ben@example.test", "en")
        yield* rig.subscribe({ email: "pending@example.test" })
        const fresh: Incident = {
          id: "mail down",
          title: "Mail hängt",
          title_en: "Mail is stuck",
          components: ["mail"],
          updates: [
            {
              at: "2026-02-01T10:00:00+01:00",
              message: "Wir sehen <b>nach</b> & melden uns.\n\nBald.",
              message_en: "We look <b>into</b> it."
            }
          ]
        }
        yield* rig.write([old, fresh])
        const [, german] = yield* rig.received("anna@example.test", 2)
        const [, english] = yield* rig.received("ben@example.test", 2)
        expect(german!.mail.subject).toBe("Wird untersucht: Mail hängt")
        expect(english!.mail.subject).toBe("Investigating: Mail is stuck")
        expect(german!.mail.text).toContain("Wir sehen <b>nach</b> & melden uns.\n\nBald.")
        expect(german!.mail.text).toContain("Betrifft: E-Mail\n")
        expect(german!.mail.text).toContain("Gemeldet: 1. Februar 2026 um 09:00 UTC")
        expect(english!.mail.text).toContain("Affects: Mail\n")
        expect(english!.mail.html).toContain("We look &lt;b>into&lt;/b> it.")
        expect(english!.mail.html).toContain(`<html lang="en">`)
        // Nothing from anywhere: no picture, no style sheet, no script.
        expect(english!.mail.html).not.toMatch(/<(img|link|script|iframe|object|style)|url\(|\ssrc=/i)
        expect(linkIn(english!.mail.text!, "/incidents/mail%20down")).toBe(`${base}/incidents/mail%20down?lang=en`)
        expect(german!.mail.messageId).not.toBe(english!.mail.messageId)
        // New words, the same timestamp: told already.
        yield* rig.write([
          old,
          { ...fresh, title: "Mail hängt sehr", updates: [{ ...fresh.updates[0]!, message: "Anders." }] }
        ])
        // The same moment written in another way, and one that is new.
        yield* rig.write([
          old,
          {
            ...fresh,
            status: "resolved",
            updates: [
              { ...fresh.updates[0]!, at: "2026-02-01T09:00:00.000Z", status: "investigating" },
              { at: "2026-02-01T11:00:00Z", status: "resolved", message: "Läuft." }
            ]
          }
        ])
        yield* rig.received("anna@example.test", 3)
        yield* rig.received("ben@example.test", 3)
        expect(subjects(rig, "anna@example.test")).toEqual(["Wird untersucht: Mail hängt", "Behoben: Mail hängt"])
        expect(subjects(rig, "ben@example.test")).toEqual(["Investigating: Mail is stuck", "Resolved: Mail is stuck"])
        expect(subjects(rig, "pending@example.test")).toEqual([])
        // All of an incident are one thread.
        const threads = rig
          .mailsTo("anna@example.test")
          .slice(1)
          .map(({ mail }) => mail.references)
        expect(new Set(threads).size).toBe(1)
        expect(
          yield* rig.sql`select count(*)::int as all, count(*) filter (where silent)::int as silent from status_checker.notices`
        ).toEqual([{ all: 4, silent: 2 }])
        expect(yield* rig.sql`select detail from core.audit where action = 'notice.told' order by id limit 1`).toEqual([
          { detail: { kind: "incident", of: "mail down", mails: 2 } }
        ])
        // The link of a notice unsubscribes, too.
        yield* rig.suite.call("POST", pathOf(linkIn(german!.mail.text!, "/unsubscribe")))
        expect(yield* rig.sql`select email from status_checker.subscribers where status = 'confirmed'`).toEqual([
          { email: "ben@example.test" }
        ])
      }),
    120_000
  )

  it.live(
    "go to subscribers of the affected components",
    () =>
      Effect.gen(function* () {
        const rig = yield* mailRig()
        yield* rig.confirmed("all@example.test", "en")
        yield* rig.confirmed("web@example.test", "en", ["web"])
        yield* rig.confirmed("mail@example.test", "en", ["mail"])
        yield* rig.write([
          { id: "1", title_en: "web only", components: ["web"], updates: [{ at: "2026-02-01T10:00:00Z" }] },
          { id: "2", title_en: "both", components: ["mail", "web"], updates: [{ at: "2026-02-01T10:01:00Z" }] },
          { id: "3", title_en: "everything", components: [], updates: [{ at: "2026-02-01T10:02:00Z" }] },
          { id: "4", title_en: "no update yet", components: ["web"], updates: [] }
        ])
        yield* rig.received("mail@example.test", 3)
        yield* rig.received("web@example.test", 4)
        yield* rig.received("all@example.test", 4)
        const told = (email: string) =>
          subjects(rig, email)
            .map((subject) => subject!.replace("Investigating: ", ""))
            .sort()
        expect(told("all@example.test")).toEqual(["both", "everything", "web only"])
        expect(told("web@example.test")).toEqual(["both", "everything", "web only"])
        expect(told("mail@example.test")).toEqual(["both", "everything"])
        yield* until(
          "all are done",
          Effect.map(
            rig.sql`select 1 from status_checker.mails where state <> 'delivered'`,
            (rows) => rows.length === 0
          )
        )
      }),
    120_000
  )

  it.live(
    "announce maintenance once",
    () =>
      Effect.gen(function* () {
        const rig = yield* mailRig()
        yield* rig.confirmed("anna@example.test", "de")
        yield* rig.sql`insert into status_checker.maintenance (id, title, title_en, message, message_en, components, starts_at, ends_at)
        values ('m1', 'Neue Platten', 'New disks', 'Mail steht kurz.', 'Mail is away.', '{mail}', now() + interval '1 day', now() + interval '26 hours')`
        yield* rig.sql`select pg_notify('signalbox', 'status-checker')`
        const [, mail] = yield* rig.received("anna@example.test", 2)
        expect(mail!.mail.subject).toBe("Geplante Wartung: Neue Platten")
        expect(mail!.mail.text).toMatch(/Betrifft: E-Mail\nBeginn: .* UTC\nEnde: .* UTC/)
        yield* rig.sql`update status_checker.maintenance set title = 'Neuere Platten'`
        yield* rig.write([{ id: "1", updates: [{ at: "2026-02-01T10:00:00Z" }] }])
        yield* rig.received("anna@example.test", 3)
        expect(subjects(rig, "anna@example.test")).toEqual([
          "Geplante Wartung: Neue Platten",
          "Wird untersucht: Störung 1"
        ])
      }),
    120_000
  )

  it.live(
    "are not sent retroactively when mail is configured later, nor repeated after a restart",
    () =>
      Effect.gen(function* () {
        const database = yield* freshDatabase
        const incident = (id: string): Incident => ({ id, updates: [{ at: "2026-02-01T10:00:00Z" }] })
        // Without mail: what happens is passed over.
        yield* Effect.scoped(
          Effect.gen(function* () {
            const rig = yield* mailRig({ database, incidents: [incident("1")], env: { SMTP_HOST: "" } })
            yield* rig.sql`insert into status_checker.subscribers (email, lang, status, unsubscribe, unsubscribe_envelope) values ('anna@example.test', 'en', 'confirmed', repeat('0', 64), 'none')`
            yield* rig.write([incident("1"), incident("2")])
            yield* until(
              "it is noticed",
              Effect.map(
                rig.sql`select silent from status_checker.notices where incident_id = '2'`,
                ([row]) => row?.["silent"] === true
              )
            )
            const refused = yield* rig.subscribe({ email: "ben@example.test" })
            expect([refused.status, refused.json.code, refused.json.settings]).toEqual([
              503,
              "not_configured",
              ["SMTP_HOST", "MAIL_FROM"]
            ])
            expect((yield* rig.suite.call("GET", "/subscribe")).status).toBe(503)
            expect((yield* rig.post("/subscribe", { email: "ben@example.test" })).status).toBe(503)
            expect((yield* rig.suite.call("GET", "/health")).json.components.subscriptions.status).toBe("unconfigured")
            yield* rig.sql`delete from status_checker.subscribers`
          })
        )
        yield* Effect.scoped(
          Effect.gen(function* () {
            const rig = yield* mailRig({ database, incidents: [incident("1"), incident("2")] })
            yield* rig.confirmed("ben@example.test", "en")
            yield* rig.write([incident("1"), incident("2"), incident("3")])
            yield* rig.received("ben@example.test", 2)
            expect(subjects(rig, "ben@example.test")).toEqual(["Investigating: Incident 3"])
          })
        )
      }),
    120_000
  )

  it.live(
    "wait while INCIDENTS_FILE is unreadable, and skip its updates of that time",
    () =>
      Effect.gen(function* () {
        const rig = yield* mailRig({ incidents: [old] })
        yield* rig.confirmed("anna@example.test", "en")
        yield* rig.writeText("{ broken")
        yield* until(
          "it is told",
          Effect.map(rig.suite.call("GET", "/health"), ({ json }) => json.components.incidents_file.status !== "ok")
        )
        yield* rig.write([old, { id: "new", updates: [{ at: "2026-02-01T10:00:00Z" }] }])
        yield* rig.received("anna@example.test", 2)
        expect(subjects(rig, "anna@example.test")).toEqual(["Investigating: Incident new"])
      }),
    120_000
  )
})
