import { words } from "../../lib/Language.ts"
import { may } from "../../lib/Me.ts"
import { useNow } from "../../parts/Now.ts"
import { Page } from "../../parts/Page.tsx"
import { RunChart } from "../../parts/RunChart.tsx"
import { AlarmsCard } from "./AlarmsCard.tsx"
import { Attention } from "./Attention.tsx"
import { DaemonsCard } from "./DaemonsCard.tsx"
import { MailboxesCard } from "./MailboxesCard.tsx"
import { useFleet } from "./Findings.ts"
import { MailChart } from "./MailChart.tsx"
import { SetupCard } from "../setup/SetupCard.tsx"
import { NotificationsCard } from "./NotificationsCard.tsx"
import "../../style/overview.css"

/** Update interval of relative times. Unit: milliseconds. */
const tick = 20_000

const t = words({
  en: { title: "Overview", alarms: "Alarms over time" },
  de: { title: "Überblick", alarms: "Alarme über die Zeit" }
})

/** Overview of the system's state; each card links to its page. */
export default () => {
  const now = useNow(tick)
  const fleet = useFleet()
  return (
    <Page title={t().title}>
      <Attention fleet={fleet} now={now} />
      <div class="charts">
        {may("workflows.manage") ? <RunChart workflow="alarm" title={t().alarms} /> : null}
        {may("webmail.use") ? <MailChart /> : null}
      </div>
      <div class="cards overview">
        {may("settings.manage") ? <SetupCard /> : null}
        <NotificationsCard now={now} />
        {may("workflows.manage") ? <AlarmsCard now={now} /> : null}
        {may("system.read") ? <DaemonsCard fleet={fleet} /> : null}
        {may("webmail.use") ? <MailboxesCard /> : null}
      </div>
    </Page>
  )
}
