import { call } from "../../lib/Call.ts"
import { number } from "../../lib/Format.ts"
import { words } from "../../lib/Language.ts"
import { ownPath } from "../../lib/Leading.ts"
import { useLoad } from "../../lib/Load.ts"
import { changed, removed, unread } from "../../lib/Notices.ts"
import { Loading } from "../../parts/Loading.tsx"
import { Severity } from "../../parts/Severity.tsx"
import { When } from "../../parts/When.tsx"
import { Card } from "./Card.tsx"

/** Number of notifications shown. */
const limit = 5

const t = words({
  en: { title: "Unread", none: "Everything is read.", more: (count: string) => `All notifications (${count} unread)` },
  de: {
    title: "Ungelesen",
    none: "Alles ist gelesen.",
    more: (count: string) => `Alle Mitteilungen (${count} ungelesen)`
  }
})

export const NotificationsCard = ({ now }: { readonly now: number }) => {
  const list = useLoad(
    () => call("GET /api/v1/notifications", { query: { limit, unread_only: "true" } }),
    [changed.value],
    { live: ["notification.created"] }
  )
  return (
    <Card title={t().title} more={{ href: "/console/notifications", text: t().more(number(unread.value ?? 0)) }}>
      <Loading of={list}>
        {({ items: loaded }) => {
          const items = loaded.filter(({ uuid }) => !removed.value.has(uuid))
          return items.length === 0 ? (
            <p class="empty">{t().none}</p>
          ) : (
            <ul class="plain-rows">
              {items.map((item) => (
                <li key={item.uuid}>
                  <a
                    class="row-link"
                    href={ownPath(item.action_url ?? "", location.origin) ?? "/console/notifications"}
                  >
                    <span>
                      {item.title}
                      <small>
                        <When at={item.created_at} now={now} />
                      </small>
                    </span>
                    <Severity of={item.severity} />
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
