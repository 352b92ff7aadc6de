import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { Looks } from "../../app/Looks.tsx"
import { Page } from "../../parts/Page.tsx"
import { DesktopChoice } from "./DesktopChoice.tsx"
import { Factors } from "./Factors.tsx"
import { LinkChoice } from "./LinkChoice.tsx"
import { LinkedSignIns } from "./Linked.tsx"
import { Password } from "./Password.tsx"
import { Preferences } from "./Preferences.tsx"
import { Profile } from "./Profile.tsx"
import { PushChoice } from "./PushChoice.tsx"
import { Quiet } from "./Quiet.tsx"
import { Sessions } from "./Sessions.tsx"
import { TimeZone } from "./TimeZone.tsx"
import "../../style/overview.css"
import "../../style/settings.css"

const t = words({
  en: { title: "Settings", machine: "On this machine" },
  de: { title: "Einstellungen", machine: "Auf diesem Gerät" }
})

/** Settings of the user's own account. */
export default () => {
  const sessions = useLoad(() => call("GET /api/v1/auth/sessions"))
  return (
    <Page title={t().title}>
      <Preferences />
      <div class="settings">
        <div>
          <Profile />
          <TimeZone />
          <Quiet />
          <LinkChoice />
          <section class="card" aria-labelledby="machine">
            <h2 id="machine">{t().machine}</h2>
            <Looks />
            <DesktopChoice />
            <PushChoice />
          </section>
          <Sessions sessions={sessions} />
        </div>
        <div>
          <Factors changed={sessions.reload} />
          <Password changed={sessions.reload} />
          <LinkedSignIns />
        </div>
      </div>
    </Page>
  )
}
