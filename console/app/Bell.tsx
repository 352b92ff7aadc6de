import "../lib/Desktop.ts"
import "../lib/Spoken.ts"
import { number } from "../lib/Format.ts"
import { words } from "../lib/Language.ts"
import { latest, unread } from "../lib/Notices.ts"
import { Icon } from "../parts/Icon.tsx"

/** Largest count that is shown; larger counts are shown as `99+`. */
const most = 99

const t = words({
  en: {
    title: "Notifications",
    unread: (count: string) => `${count} unread`,
    came: (title: string) => `New notification: ${title}`
  },
  de: {
    title: "Mitteilungen",
    unread: (count: string) => `${count} ungelesen`,
    came: (title: string) => `Neue Mitteilung: ${title}`
  }
})

/** Link to the notifications with the number of unread ones; screen readers announce new ones. */
export const Bell = () => {
  const count = unread.value ?? 0
  return (
    <>
      <a
        class="bell"
        href="/console/notifications"
        title={count === 0 ? t().title : `${t().title}: ${t().unread(number(count))}`}
      >
        <Icon name="bell" />
        <span class="sr">{t().title}</span>
        {count === 0 ? null : (
          <span class="bell-count">
            <span aria-hidden="true">{count > most ? `${most}+` : count}</span>
            <span class="sr">, {t().unread(number(count))}</span>
          </span>
        )}
      </a>
      <span class="sr" role="status">
        {latest.value === undefined ? "" : t().came(latest.value.title)}
      </span>
    </>
  )
}
