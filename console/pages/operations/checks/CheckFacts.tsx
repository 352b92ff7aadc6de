import { duration, longDuration, moment } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { useNow } from "../../../parts/Now.ts"
import { When } from "../../../parts/When.tsx"
import { type Check, checkWord, measurementText, resultText, statusTones, valueText } from "./Words.ts"

const t = words({
  en: {
    title: "Last result",
    kind: "Kind",
    value: "Value",
    since: "In this state since",
    checked: "Checked",
    took: (time: string) => `took ${time}`,
    more: "Further values",
    machine: "Machine",
    cause: "Cause",
    thresholds: "Thresholds",
    above: "above",
    below: "below",
    rhythm: "Rhythm",
    every: (time: string, timeout: string) => `every ${time}, time-out ${timeout}`,
    counts: (failures: number, successes: number) =>
      `alert after ${failures === 1 ? "1 failure" : `${failures} failures in a row`}, ` +
      `over after ${successes === 1 ? "1 good result" : `${successes} good results`}`,
    does: "What it does",
    disabled: "switched off",
    alerting: "reports an alert"
  },
  de: {
    title: "Letztes Ergebnis",
    kind: "Art",
    value: "Wert",
    since: "In diesem Zustand seit",
    checked: "Geprüft",
    took: (time: string) => `dauerte ${time}`,
    more: "Weitere Werte",
    machine: "Maschine",
    cause: "Ursache",
    thresholds: "Grenzen",
    above: "über",
    below: "unter",
    rhythm: "Takt",
    every: (time: string, timeout: string) => `alle ${time}, Zeitgrenze ${timeout}`,
    counts: (failures: number, successes: number) =>
      `Meldung nach ${failures === 1 ? "1 Fehlschlag" : `${failures} Fehlschlägen in Folge`}, ` +
      `vorbei nach ${successes === 1 ? "1 guten Ergebnis" : `${successes} guten Ergebnissen`}`,
    does: "Was sie tut",
    disabled: "ausgeschaltet",
    alerting: "hat eine Meldung"
  }
})

const definitionText = (definition: NonNullable<Check["definition"]>): string => {
  switch (definition.type) {
    case "http":
      return definition.url
    case "command":
      return [definition.program, ...(definition.arguments ?? [])].join(" ")
    default:
      return `${definition.host}:${definition.port}`
  }
}

/** Last values of a check, its thresholds and its rhythm. */
export const CheckFacts = ({ of }: { readonly of: Check }) => {
  const now = useNow(5_000)
  const { critical, direction, warning } = of.thresholds
  const limits = (
    [
      ["warning", warning],
      ["critical", critical]
    ] as const
  ).flatMap(([status, limit]) =>
    limit === null ? [] : [`${checkWord(status)} ${t()[direction]} ${valueText(limit, of.unit)}`]
  )
  const facts: ReadonlyArray<readonly [string, string]> = [
    [t().kind, `${checkWord(of.kind)}, ${checkWord(of.origin)}`],
    [t().does, of.definition === null ? "" : definitionText(of.definition)],
    [t().value, of.value === null ? "" : valueText(of.value, of.unit)],
    [
      t().more,
      Object.entries(of.measurements)
        .map(([name, value]) => measurementText(name, value))
        .join(", ")
    ],
    [t().thresholds, limits.join(", ")],
    [t().since, of.since === null ? "" : moment(of.since)],
    [t().machine, of.host ?? ""],
    [t().cause, of.group],
    [
      t().rhythm,
      `${t().every(longDuration(of.interval_s * 1000), longDuration(of.timeout_s * 1000))}; ${t().counts(of.failures, of.successes)}`
    ]
  ]
  return (
    <section class="card" aria-label={t().title}>
      <p class="ops-line">
        {of.enabled ? (
          <Badge tone={statusTones[of.status]}>{checkWord(of.status)}</Badge>
        ) : (
          <Badge tone="quiet">{t().disabled}</Badge>
        )}
        {of.alerting ? <Badge tone="error">{t().alerting}</Badge> : null}
        {of.checked_at === null ? null : (
          <span class="soft">
            {t().checked} <When at={of.checked_at} now={now} />
            {of.duration_ms === null ? "" : `, ${t().took(duration(of.duration_ms))}`}
          </span>
        )}
      </p>
      {of.detail === "" ? null : <p class="ops-summary">{resultText(of)}</p>}
      <dl class="facts ops-facts">
        {facts.flatMap(([name, value]) =>
          value === "" ? [] : [<dt key={`${name} name`}>{name}</dt>, <dd key={name}>{value}</dd>]
        )}
      </dl>
    </section>
  )
}
