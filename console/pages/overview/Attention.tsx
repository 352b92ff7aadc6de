import type { ComponentChildren } from "preact"
import { words } from "../../lib/Language.ts"
import type { Loaded } from "../../lib/Load.ts"
import { Badge, type Tone } from "../../parts/Badge.tsx"
import { Trouble } from "../../parts/Trouble.tsx"
import { Waiting } from "../../parts/Loading.tsx"
import { When } from "../../parts/When.tsx"
import type { Fleet } from "../daemons/Fleet.ts"
import { Card } from "./Card.tsx"
import { type Finding, useFindings } from "./Findings.ts"

const t = words({
  en: {
    title: "Needs attention",
    none: "Nothing needs attention.",
    more: (count: number) => `and ${count} more`,
    incident: "incident",
    alert: "alert",
    alarm: "alarm",
    daemon: "daemon",
    mailbox: "mailbox"
  },
  de: {
    title: "Braucht Aufmerksamkeit",
    none: "Nichts braucht Aufmerksamkeit.",
    more: (count: number) => `und ${count} weitere`,
    incident: "Störung",
    alert: "Meldung",
    alarm: "Alarm",
    daemon: "Daemon",
    mailbox: "Postfach"
  }
})

const tones: Readonly<Record<Finding["kind"], Tone>> = {
  incident: "error",
  alert: "error",
  alarm: "warning",
  daemon: "error",
  mailbox: "warning"
}

/** What is not well, with its reason and a link: open incidents and alarms first, then daemons and mailboxes. */
export const Attention = ({ fleet, now }: { readonly fleet: Loaded<Fleet | undefined>; readonly now: number }) => {
  const { groups, isComplete, problem, reload } = useFindings(fleet)
  const findings = groups.flatMap(({ items }) => items)
  return (
    <Card title={t().title}>
      <Trouble problem={problem} again={reload} />
      {findings.length === 0 && !isComplete && problem === undefined ? <Waiting /> : null}
      {findings.length === 0 && isComplete ? <p class="well">{t().none}</p> : null}
      {groups
        .filter(({ items }) => items.length > 0)
        .map(({ hidden, href, items }) => (
          <ul key={href} class="plain-rows findings">
            {items.map((finding) => (
              <Row key={finding.key} finding={finding} now={now} />
            ))}
            {hidden === 0 ? null : (
              <li>
                <a class="row-link" href={href}>
                  <span>{t().more(hidden)}</span>
                </a>
              </li>
            )}
          </ul>
        ))}
    </Card>
  )
}

const Row = ({ finding, now }: { readonly finding: Finding; readonly now: number }) => (
  <li>
    <a class="row-link" href={finding.href}>
      <Badge tone={finding.tone ?? tones[finding.kind]}>{t()[finding.kind]}</Badge>
      <span>
        <strong>{finding.title}</strong>
        {finding.reason === null ? null : <Line>{finding.reason}</Line>}
        {finding.at === null ? null : (
          <Line>
            <When at={finding.at} now={now} />
          </Line>
        )}
      </span>
    </a>
  </li>
)

const Line = ({ children }: { readonly children: ComponentChildren }) => <small>{children}</small>
