/** Pictures of a provider's days to draw: everything there is to show, nothing at all, a hundred of everything. */
import type {
  Component,
  ShownComponent,
  Day,
  Incident,
  ResponseTimes,
  Snapshot
} from "#daemons/status-checker/status/Model.ts"
import { type ShownStatus, overall } from "#daemons/status-checker/status/Vocabulary.ts"

export const at = "2026-11-22T11:05:00.000Z"
const wholeDay = 86_400_000
const hour = 3_600_000

/** So many days before the one of `at`. */
export const dayBefore = (days: number): string => new Date(Date.parse(at) - days * wholeDay).toISOString().slice(0, 10)
const before = (milliseconds: number): string => new Date(Date.parse(at) - milliseconds).toISOString()

const nothing = { operational: 0, degraded_performance: 0, partial_outage: 0, major_outage: 0, under_maintenance: 0 }

/** A day, whole and good but for what is given. */
export const day = (
  daysBefore: number,
  bad: Partial<Omit<Day, "day">> = {},
  whole = daysBefore === 0 ? Date.parse(at) % wholeDay : wholeDay
): Day => {
  const rest = whole - Object.values(bad).reduce((a, b) => a + b, 0)
  return { day: dayBefore(daysBefore), ...nothing, operational: rest, ...bad }
}

/** Ninety days, the oldest first; `unlike`: other ones by days before; undefined: a gap. */
export const ninety = (unlike: Readonly<Record<number, Day | undefined>> = {}): ReadonlyArray<Day> =>
  Array.from({ length: 90 }, (_, index) => 89 - index).flatMap((ago) =>
    ago in unlike ? (unlike[ago] ?? []) : [day(ago)]
  )

export const component = (
  id: string,
  name: string,
  name_en: string,
  group: string | null = null,
  more: Partial<Component> = {}
): Component => ({ id, name, name_en, container: id, group, probes: [], ...more })

export const picture = (
  of: Component,
  status: ShownStatus = "operational",
  days: ReadonlyArray<Day> = ninety(),
  more: Partial<ShownComponent> = {}
): ShownComponent => ({
  component: of,
  status,
  since: before(3 * wholeDay),
  checked_at: before(120_000),
  days,
  times: [],
  ...more
})

/** Answers of the last 24 hours, slower at noon, with a gap of two hours. `base`: usual time in milliseconds. */
export const answers = (base: number): ReadonlyArray<ResponseTimes> =>
  Array.from({ length: 96 }, (_, index) => 95 - index)
    .filter((ago) => ago < 20 || ago >= 28)
    .map((ago) => {
      const mean_ms = Math.round(base * (1 + ((ago * 7) % 5) / 10 + (ago % 50 === 3 ? 2 : 0)))
      const quarter = Math.floor(Date.parse(at) / 900_000) * 900_000
      return { at: new Date(quarter - ago * 900_000).toISOString(), checks: 3, mean_ms, most_ms: mean_ms + base }
    })

export const snapshot = (components: ReadonlyArray<ShownComponent>, more: Partial<Snapshot> = {}): Snapshot => ({
  at,
  status: components.length === 0 ? "unknown" : overall(components.map(({ status }) => status)),
  components,
  incidents: [],
  maintenance: [],
  freshFor: 900_000,
  ...more
})

export const incident = (id: string, title: string, title_en: string, more: Partial<Incident> = {}): Incident => ({
  id,
  title,
  title_en,
  status: "resolved",
  severity: "minor",
  components: [],
  created_at: before(5 * wholeDay),
  resolved_at: before(5 * wholeDay - 2 * hour),
  updates: [],
  ...more
})

const update = (status: Incident["status"], message: string, message_en: string, ago: number) => ({
  status,
  message,
  message_en,
  timestamp: before(ago)
})

/** Troubled days of all kinds, in groups and without, open and past incidents, maintenance. */
export const everything = (): Snapshot =>
  snapshot(
    [
      picture(component("webmail", "Webmail", "Webmail", "E-Mail"), "operational", ninety(), { times: answers(120) }),
      picture(
        component("smtp", "Mailversand (SMTP)", "Sending mail (SMTP)", "E-Mail"),
        "degraded_performance",
        ninety({
          0: day(0, { degraded_performance: 2 * hour }),
          1: day(1, { degraded_performance: 5 * hour }),
          2: day(2, { partial_outage: hour }),
          31: day(31, { major_outage: 3 * hour }),
          32: day(32, { major_outage: 9 * hour })
        })
      ),
      picture(
        component("imap", "Postfächer (IMAP)", "Mailboxes (IMAP)", "E-Mail"),
        "major_outage",
        ninety({
          0: day(0, { major_outage: hour }),
          40: undefined,
          41: undefined,
          42: undefined,
          43: day(43, {}, 6 * hour),
          60: day(60, { under_maintenance: 4 * hour })
        })
      ),
      picture(
        component("web", "Webseiten", "Websites", "Hosting"),
        "operational",
        ninety(Object.fromEntries(Array.from({ length: 55 }, (_, index) => [index + 35, undefined]))),
        { times: answers(4_000).slice(-1) }
      ),
      picture(
        component("db", "Datenbanken", "Databases", "Hosting"),
        "under_maintenance",
        ninety({ 0: day(0, { under_maintenance: 2 * hour }), 14: day(14, { under_maintenance: hour }) })
      ),
      picture(
        component("dns", "Nameserver", "Name servers", "Hosting"),
        "partial_outage",
        ninety({ 0: day(0, { partial_outage: 600_000 }) })
      ),
      picture(component("phone", "Telefonie", "Telephony"), "operational", ninety(), { checked_at: before(5 * hour) }),
      picture(component("fax", "Fax", "Fax"), "operational", [], { checked_at: null, since: null }),
      picture(
        component("office", "Büro und Beratung", "Office and support", null, { container: null }),
        "operational",
        [],
        { checked_at: null, since: null }
      )
    ],
    {
      incidents: [
        incident("imap-2026-11-22", "Postfächer nicht erreichbar", "Mailboxes unreachable", {
          status: "identified",
          severity: "critical",
          components: ["imap"],
          created_at: before(55 * 60_000),
          resolved_at: null,
          updates: [
            update(
              "investigating",
              "Postfächer lassen sich zurzeit nicht öffnen. Wir suchen nach der Ursache.",
              "Mailboxes cannot be opened at the moment. We are looking for the cause.",
              55 * 60_000
            ),
            update(
              "identified",
              "Ein Speicher ist ausgefallen. Wir schalten auf den zweiten um.\nE-Mails gehen nicht verloren.",
              "A storage unit has failed. We are switching to the second one.\nNo mail is lost.",
              20 * 60_000
            )
          ]
        }),
        incident("smtp-slow", "Verzögerter Mailversand", "Mail leaves with delay", {
          status: "monitoring",
          severity: "minor",
          components: ["smtp"],
          created_at: before(5 * hour),
          resolved_at: null,
          updates: [update("monitoring", "Der Rückstau löst sich auf.", "The queue is getting shorter.", hour)]
        }),
        incident("smtp-2026-11-20", "Mailversand gestört", "Sending mail disrupted", {
          severity: "major",
          components: ["smtp", "webmail"],
          created_at: before(2 * wholeDay),
          resolved_at: before(2 * wholeDay - hour),
          updates: [
            update("investigating", "Wir untersuchen eine Störung.", "We are investigating.", 2 * wholeDay),
            update(
              "resolved",
              "Der Versand läuft wieder. Zurückgehaltene E-Mails sind unterwegs.",
              "Sending works again. Held mail is on its way.",
              2 * wholeDay - hour
            )
          ]
        }),
        incident("smtp-2026-10-21", "Mailversand ausgefallen", "Sending mail is down", {
          severity: "critical",
          components: ["smtp"],
          created_at: before(32 * wholeDay),
          resolved_at: before(31 * wholeDay),
          updates: [update("resolved", "Behoben.", "Fixed.", 31 * wholeDay)]
        })
      ],
      maintenance: [
        {
          id: "db-work",
          title: "Umzug der Datenbanken",
          title_en: "Databases move",
          message: "Datenbanken sind kurz nicht erreichbar.",
          message_en: "Databases are briefly unavailable.",
          components: ["db"],
          starts_at: before(2 * hour),
          ends_at: before(-hour)
        },
        {
          id: "net",
          title: "Arbeiten am Netz",
          title_en: "Work on the network",
          message: "",
          message_en: "",
          components: ["web", "dns"],
          starts_at: before(-9 * wholeDay),
          ends_at: before(-9 * wholeDay - 3 * hour)
        }
      ]
    }
  )

/** As a provider's page is on most days: good, with a bad hour here and there. */
export const usual = (count: number): Snapshot =>
  snapshot(
    Array.from({ length: count }, (_, index) =>
      picture(
        component(
          `service-${index}`,
          `Dienst Nummer ${index}`,
          `Service number ${index}`,
          `Gruppe ${Math.floor(index / 5)}`
        ),
        "operational",
        ninety({
          [(index * 7) % 90]: day((index * 7) % 90, { major_outage: hour }),
          [(index * 13) % 90]: day((index * 13) % 90, { degraded_performance: hour })
        }),
        { times: answers(20 + index) }
      )
    )
  )

/** No day like the one before. */
export const troubled = (count: number): Snapshot =>
  snapshot(
    Array.from({ length: count }, (_, index) =>
      picture(
        component(`service-${index}`, `Dienst Nummer ${index}`, `Service number ${index}`),
        "operational",
        Array.from({ length: 90 }, (_, nth) => 89 - nth).flatMap((ago) =>
          ago % 4 === 3
            ? []
            : [
                day(
                  ago,
                  ago % 4 === 0
                    ? { major_outage: hour + ago * 60_000 }
                    : ago % 4 === 1
                      ? { partial_outage: (ago + index) * 60_000 }
                      : {}
                )
              ]
        )
      )
    )
  )
