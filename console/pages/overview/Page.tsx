import { words } from "../../lib/Language.ts"
import { may } from "../../lib/Me.ts"
import { useNow } from "../../parts/Now.ts"
import { Page } from "../../parts/Page.tsx"
import { AlarmsCard } from "./AlarmsCard.tsx"
import { DaemonsCard } from "./DaemonsCard.tsx"
import { MailboxesCard } from "./MailboxesCard.tsx"
import { NotificationsCard } from "./NotificationsCard.tsx"
import "../../style/overview.css"

/** Update interval of relative times. Unit: milliseconds. */
const tick = 20_000

const t = words({ en: { title: "Overview" }, de: { title: "Überblick" } })

/** Overview of the system's state; each card links to its page. */
export default () => {
  const now = useNow(tick)
  return (
    <Page title={t().title}>
      <div class="cards overview">
        <NotificationsCard now={now} />
        {may("workflows.manage") ? <AlarmsCard now={now} /> : null}
        {may("system.read") ? <DaemonsCard /> : null}
        {may("webmail.use") ? <MailboxesCard /> : null}
      </div>
    </Page>
  )
}
