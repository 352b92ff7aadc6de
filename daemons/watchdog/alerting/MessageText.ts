/** Texts of messages, in the language of their readers. */
import { presentBrand } from "#core/html/Brand.ts"
import { shippedTexts } from "#core/words/ShippedTexts.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"
import { momentIn } from "#core/words/TimeZone.ts"
import type { Incident } from "./Incident.ts"
import type { MessageKind, Severity } from "./Words.ts"

/**
 * Maximum number of alerts that a text names; the rest is counted. Reason: a message of the bot API holds 4,096 units.
 */
export const mostNamed = 10

/** An alert as a message has it. Times in epoch milliseconds. */
export type Line = Pick<
  Incident,
  | "key"
  | "severity"
  | "summary"
  | "summaryDe"
  | "detail"
  | "detailDe"
  | "openedAt"
  | "closedAt"
  | "flapping"
  | "changes"
>

/** What a message is about, as it is stored. `lines` holds at most `mostNamed`; `count` all. */
export interface Content {
  readonly severity: Severity
  readonly host: string
  readonly count: number
  readonly lines: ReadonlyArray<Line>
  /** Postgres was away when it was composed. */
  readonly withoutDatabase: boolean
}

export interface Text {
  /** One line. */
  readonly subject: string
  readonly body: string
}

const words = shippedTexts("watchdog.messages", {
  en: {
    opened: "ALERT",
    flapping: "FLAPPING",
    repeated: "still",
    recovered: "OVER",
    test: "TEST",
    critical: "critical",
    warning: "warning",
    more: "… and {count} more",
    alerts: "{count} alerts",
    since: "since {at}",
    lasted: "from {from} to {to}",
    changes: "changes often: {count} times so far",
    away: "The database does not answer. This message was sent without it.",
    testing: "This is a test of the alerts. Nothing is wrong.",
    see: "See all: signalbox alert list"
  },
  de: {
    opened: "ALARM",
    flapping: "WECHSELHAFT",
    repeated: "weiterhin",
    recovered: "VORBEI",
    test: "TEST",
    critical: "kritisch",
    warning: "Warnung",
    more: "… und {count} weitere",
    alerts: "{count} Meldungen",
    since: "seit {at}",
    lasted: "von {from} bis {to}",
    changes: "wechselt oft: bisher {count} Mal",
    away: "Die Datenbank antwortet nicht. Diese Nachricht ging ohne sie hinaus.",
    testing: "Dies ist eine Probe der Meldungen. Es ist alles in Ordnung.",
    see: "Alle Meldungen: signalbox alert list"
  }
})

/** Content of a message about these incidents; the worst come first. */
export const contentOf = (incidents: ReadonlyArray<Incident>, host: string, withoutDatabase: boolean): Content => {
  const sorted = [...incidents].sort(
    (a, b) => rank(a.severity) - rank(b.severity) || a.openedAt - b.openedAt || (a.key < b.key ? -1 : 1)
  )
  return {
    severity: sorted[0]?.severity ?? "warning",
    host,
    count: sorted.length,
    lines: sorted
      .slice(0, mostNamed)
      .map(({ changes, closedAt, detail, detailDe, flapping, key, openedAt, severity, summary, summaryDe }) => ({
        key,
        severity,
        summary,
        summaryDe: summaryDe ?? null,
        detail,
        detailDe: detailDe ?? null,
        openedAt,
        closedAt,
        flapping,
        changes
      })),
    withoutDatabase
  }
}

const rank = (severity: Severity): number => (severity === "critical" ? 0 : 1)

/** `details`: whether the body has the details, as in a mail. `zone`: of the times; null: UTC. */
export const textOf = (
  kind: MessageKind,
  group: string,
  { count, host, lines, severity, withoutDatabase }: Content,
  language: LanguageCode,
  details: boolean,
  zone: string | null = null
): Text => {
  const word = words(language)
  if (kind === "test") return { subject: `${word.test}: ${presentBrand().brandName} ${host}`, body: word.testing }
  const [first] = lines
  const at = (ms: number) => momentIn(new Date(ms), language, zone)
  const summaryOf = (line: Line) => (language === "de" ? line.summaryDe : undefined) ?? line.summary
  const detailOf = (line: Line) => (language === "de" ? line.detailDe : undefined) ?? line.detail
  /** Summaries of checks begin with the key. */
  const keyed = (line: Line) => {
    const summary = summaryOf(line)
    return summary.startsWith(`${line.key}: `) ? summary : `${line.key}: ${summary}`
  }
  const named = first === undefined ? group : summaryOf(first)
  return {
    subject:
      `${word[kind]} (${word[severity]}): ` +
      (count === 1 ? named : `${group}: ${word.alerts({ count })}: ${named}`) +
      ` [${host}]`,
    body: [
      ...lines.flatMap((line) => [
        `* ${keyed(line)} (${word[line.severity]}, ${
          line.closedAt === null
            ? word.since({ at: at(line.openedAt) })
            : word.lasted({ from: at(line.openedAt), to: at(line.closedAt) })
        })`,
        ...(line.flapping && line.closedAt === null ? [`  ${word.changes({ count: line.changes })}`] : []),
        ...(details ? (detailOf(line)?.split("\n") ?? []).map((text) => `  ${text}`) : [])
      ]),
      ...(count > lines.length ? [word.more({ count: count - lines.length })] : []),
      "",
      ...(withoutDatabase ? [word.away] : []),
      word.see
    ].join("\n")
  }
}

/** Moments that a text names, as ISO 8601. */
export const timesOf = ({ lines }: Content): ReadonlyArray<string> =>
  lines.flatMap(({ closedAt, openedAt }) =>
    [openedAt, closedAt].flatMap((ms) => (ms === null ? [] : [new Date(ms).toISOString()]))
  )
