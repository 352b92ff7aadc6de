import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { Loading } from "../../parts/Loading.tsx"
import { StateBadge } from "../../parts/RunBadges.tsx"
import { When } from "../../parts/When.tsx"
import { Card } from "./Card.tsx"

/** Number of alarms shown. */
const limit = 5

const t = words({
  en: { title: "Last alarms", none: "No alarm so far.", more: "All alarms" },
  de: { title: "Letzte Alarme", none: "Bisher kein Alarm.", more: "Alle Alarme" }
})

export const AlarmsCard = ({ now }: { readonly now: number }) => {
  const runs = useLoad(() => call("GET /api/v1/workflows/runs", { query: { limit, workflow: "alarm" } }), [], {
    live: ["alarm.*"]
  })
  return (
    <Card title={t().title} more={{ href: "/console/alarms", text: t().more }}>
      <Loading of={runs}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="empty">{t().none}</p>
          ) : (
            <ul class="plain-rows">
              {items.map((run) => (
                <li key={run.id}>
                  <a class="row-link" href={`/console/alarms/${run.id}`}>
                    <span>
                      {run.title}
                      <small>
                        <When at={run.created_at} now={now} />
                      </small>
                    </span>
                    <StateBadge state={run.state} />
                  </a>
                </li>
              ))}
            </ul>
          )
        }
      </Loading>
    </Card>
  )
}
