import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { Page } from "../../parts/Page.tsx"
import { DesktopChoice } from "./DesktopChoice.tsx"
import { Factors } from "./Factors.tsx"
import { Password } from "./Password.tsx"
import { Preferences } from "./Preferences.tsx"
import { Profile } from "./Profile.tsx"
import { Sessions } from "./Sessions.tsx"
import "../../style/overview.css"
import "../../style/settings.css"

const t = words({
  en: { title: "Settings", told: "How you are told", safety: "Signing in" },
  de: { title: "Einstellungen", told: "Wie Sie benachrichtigt werden", safety: "Anmeldung" }
})

/** What a person decides about their own account. */
export default () => {
  const sessions = useLoad(() => call("GET /api/v1/auth/sessions"))
  return (
    <Page title={t().title}>
      <div class="settings">
        <div>
          <Preferences />
          <section class="card" aria-label={t().told}><DesktopChoice /></section>
        </div>
        <div>
          <Profile />
          <Factors changed={sessions.reload} />
          <Password changed={sessions.reload} />
          <Sessions sessions={sessions} />
        </div>
      </div>
    </Page>
  )
}
