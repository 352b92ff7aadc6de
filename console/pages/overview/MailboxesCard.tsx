import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { Badge } from "../../parts/Badge.tsx"
import { Loading } from "../../parts/Loading.tsx"
import { Card } from "./Card.tsx"

/** Poll interval, because no event reports changes. Unit: milliseconds. */
const every = 15_000

/** Maximum number of mail accounts of a user. */
const limit = 200

const t = words({
  en: {
    title: "Mailboxes not watched",
    none: "No mailbox yet.",
    all: (count: number) => (count === 1 ? "Your mailbox is watched." : `All ${count} mailboxes are watched.`),
    failed: "not reached",
    connecting: "connecting",
    more: "All mailboxes"
  },
  de: {
    title: "Nicht beobachtete Postfächer",
    none: "Noch kein Postfach.",
    all: (count: number) =>
      count === 1 ? "Ihr Postfach wird beobachtet." : `Alle ${count} Postfächer werden beobachtet.`,
    failed: "nicht erreicht",
    connecting: "verbindet",
    more: "Alle Postfächer"
  }
})

export const MailboxesCard = () => {
  const watched = useLoad(() => call("GET /api/v1/mail/webmail/watcher/status", { query: { limit } }), [], { every })
  return (
    <Card title={t().title} more={{ href: "/console/mailboxes", text: t().more }}>
      <Loading of={watched}>
        {({ items }) => {
          const away = items.filter(({ mode }) => mode === "failed" || mode === "connecting")
          if (away.length === 0) return <p class="empty">{items.length === 0 ? t().none : t().all(items.length)}</p>
          return (
            <ul class="plain-rows">
              {away.map(({ account, id, last_failure, mode }) => (
                <li key={id}>
                  <a class="row-link" href="/console/mailboxes">
                    <span>
                      {account}
                      {last_failure === null ? null : <small>{last_failure}</small>}
                    </span>
                    <Badge tone={mode === "failed" ? "error" : "warning"}>
                      {mode === "failed" ? t().failed : t().connecting}
                    </Badge>
                  </a>
                </li>
              ))}
            </ul>
          )
        }}
      </Loading>
    </Card>
  )
}
