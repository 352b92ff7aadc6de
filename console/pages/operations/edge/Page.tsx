import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { OperationsPage } from "../OperationsPage.tsx"
import { Hosts } from "./Hosts.tsx"
import { Routes } from "./Routes.tsx"
import { Users } from "./Users.tsx"

const t = words({
  en: { elsewhere: "Edge-auth does not run behind this address. Manage it with: signalbox edge" },
  de: { elsewhere: "Edge-auth läuft nicht hinter dieser Adresse. Verwalten mit: signalbox edge" }
})

/** Reload interval. Unit: milliseconds. Reason: proxies ask without an event. */
const every = 30_000

/** Hosts that edge-auth protects, its routes, and its users, who are separate from the users of the console. */
export default () => {
  const turn = useSignal(0)
  const coverage = useLoad(() => call("GET /api/v1/edge/coverage"), [turn.value], { every })
  return (
    <OperationsPage section="edge">
      {coverage.problem.value?.status === 404 ? (
        <p class="empty">{t().elsewhere}</p>
      ) : (
        <>
          <Hosts of={coverage} />
          <Routes changed={() => turn.value++} />
          <Users />
        </>
      )}
    </OperationsPage>
  )
}
