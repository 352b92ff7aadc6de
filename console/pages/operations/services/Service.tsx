import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { may } from "../../../lib/Me.ts"
import { Loading } from "../../../parts/Loading.tsx"
import { OperationsPage } from "../OperationsPage.tsx"
import { LogView } from "./LogView.tsx"
import { RestartDialog } from "./RestartDialog.tsx"
import { Restarts } from "./Restarts.tsx"
import { ServiceFacts } from "./ServiceFacts.tsx"

const t = words({
  en: {
    title: "Service",
    restart: "Restart",
    requested: "The restart is requested. The list of restarts shows its outcome.",
    noLog: "The watchdog cannot read the log of this service."
  },
  de: {
    title: "Dienst",
    restart: "Neu starten",
    requested: "Der Neustart ist angefordert. Die Liste der Neustarts zeigt, wie er ausgegangen ist.",
    noLog: "Der Watchdog kann das Log dieses Dienstes nicht lesen."
  }
})

/** Reload interval. Unit: milliseconds. Reason: shows a restart while it happens. */
const every = 3_000

/** One service: facts, restarts and its log. */
export default ({ name }: { readonly name: string }) => {
  const service = useLoad(() => call("GET /api/v1/system/services/:name", { params: { name } }), [name], { every })
  const asking = useSignal(false)
  const requested = useSignal(false)
  const found = service.value.value
  return (
    <OperationsPage
      section="services"
      title={found?.name ?? t().title}
      actions={
        found?.may_restart === true && may("system.manage") ? (
          <button type="button" onClick={() => (asking.value = true)}>
            {t().restart}
          </button>
        ) : undefined
      }
    >
      <div role="status">{requested.value ? <p class="done">{t().requested}</p> : null}</div>
      <Loading of={service}>
        {(details) => (
          <>
            <ServiceFacts of={details} />
            {details.has_log ? <LogView key={name} name={name} /> : <p class="empty">{t().noLog}</p>}
            <Restarts of={details.recent_restarts} />
          </>
        )}
      </Loading>
      {asking.value ? (
        <RestartDialog
          name={name}
          shut={() => (asking.value = false)}
          requested={() => {
            asking.value = false
            requested.value = true
            service.reload()
          }}
        />
      ) : null}
    </OperationsPage>
  )
}
