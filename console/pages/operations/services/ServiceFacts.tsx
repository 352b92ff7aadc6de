import { bytes, longDuration, moment } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { useNow } from "../../../parts/Now.ts"
import { ServiceBadges } from "./ServiceBadges.tsx"
import { problemText, statusText } from "./StatusWords.ts"
import { type Details, serviceWords } from "./Words.ts"

const t = words({
  en: {
    facts: "State",
    kind: "Kind",
    status: "Status",
    since: "Running since",
    restarts: "Restarts by itself",
    memory: "Memory",
    pid: "Process",
    exit: "Exit code",
    oom: "Ended by the kernel for lack of memory",
    gaveUp: "The watchdog has used up its restarts and waits for a person.",
    problems: "Problems"
  },
  de: {
    facts: "Zustand",
    kind: "Art",
    status: "Status",
    since: "Läuft seit",
    restarts: "Neustarts von selbst",
    memory: "Speicher",
    pid: "Prozess",
    exit: "Exit-Code",
    oom: "Vom Kernel aus Speichermangel beendet",
    gaveUp: "Der Watchdog hat seine Neustarts verbraucht und wartet auf einen Menschen.",
    problems: "Probleme"
  }
})

/** Facts of a service, and its problems. */
export const ServiceFacts = ({ of }: { readonly of: Details }) => {
  const now = useNow(5_000)
  const facts: ReadonlyArray<readonly [string, string | null]> = [
    [
      t().kind,
      `${serviceWords()[of.kind]}${of.description === "" || of.kind === "daemon" ? "" : ` · ${of.description}`}`
    ],
    [t().status, statusText(of.status)],
    [
      t().since,
      of.started_at === null
        ? null
        : `${moment(of.started_at)} (${longDuration(Math.max(0, now - Date.parse(of.started_at)))})`
    ],
    [t().restarts, of.restarts === null ? null : String(of.restarts)],
    [t().memory, of.memory_bytes === null ? null : bytes(of.memory_bytes)],
    [t().pid, of.pid === null ? null : String(of.pid)],
    [t().exit, of.exit_code === null ? null : String(of.exit_code)]
  ]
  return (
    <section class="card" aria-label={t().facts}>
      <p class="ops-line">
        <ServiceBadges of={of} />
        {of.critical ? <Badge tone="quiet">{serviceWords().critical}</Badge> : null}
        {of.oom_killed ? <Badge tone="error">{t().oom}</Badge> : null}
      </p>
      {of.gave_up ? <p class="field-error">{t().gaveUp}</p> : null}
      <dl class="facts ops-facts">
        {facts.flatMap(([name, value]) =>
          value === null || value === "" ? [] : [<dt key={`${name} name`}>{name}</dt>, <dd key={name}>{value}</dd>]
        )}
      </dl>
      {of.problems.length === 0 ? null : (
        <>
          <h3>{t().problems}</h3>
          <ul>
            {of.problems.map((problem) => (
              <li key={problem}>{problemText(problem)}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
