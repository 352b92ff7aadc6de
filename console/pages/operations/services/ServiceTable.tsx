import { useSignal } from "@preact/signals"
import { bothMoments, longDuration } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { may } from "../../../lib/Me.ts"
import { useNow } from "../../../parts/Now.ts"
import { sectionTitle } from "../OperationsPage.tsx"
import { RestartDialog } from "./RestartDialog.tsx"
import { ServiceBadges } from "./ServiceBadges.tsx"
import { statusText } from "./StatusWords.ts"
import { type Service, serviceHref, serviceWords } from "./Words.ts"

const t = words({
  en: {
    service: "Service",
    state: "State",
    uptime: "Running for",
    restarts: "Restarts",
    actions: "Actions",
    restart: "Restart",
    requested: (name: string) => `The restart of ${name} is requested.`
  },
  de: {
    service: "Dienst",
    state: "Zustand",
    uptime: "Läuft seit",
    restarts: "Neustarts",
    actions: "Aktionen",
    restart: "Neu starten",
    requested: (name: string) => `Der Neustart von ${name} ist angefordert.`
  }
})

/** Table of services; a listed one can be restarted. */
export const ServiceTable = ({
  changed,
  of
}: {
  readonly of: ReadonlyArray<Service>
  readonly changed: () => void
}) => {
  const now = useNow(5_000)
  const asked = useSignal<string | undefined>(undefined)
  const requested = useSignal<string | undefined>(undefined)
  const manages = may("system.manage")
  return (
    <>
      <div role="status">
        {requested.value === undefined ? null : <p class="done">{t().requested(requested.value)}</p>}
      </div>
      <div class="scroll" role="region" aria-label={sectionTitle("services")} tabIndex={0}>
        <table class="ops-table">
          <caption class="sr">{sectionTitle("services")}</caption>
          <thead>
            <tr>
              <th scope="col">{t().service}</th>
              <th scope="col">{t().state}</th>
              <th scope="col">{t().uptime}</th>
              <th scope="col" class="number">
                {t().restarts}
              </th>
              {manages ? <th scope="col">{t().actions}</th> : null}
            </tr>
          </thead>
          <tbody>
            {of.map((service) => (
              <tr key={service.name}>
                <th scope="row">
                  <a href={serviceHref(service.name)}>{service.name}</a>
                  <small>
                    {serviceWords()[service.kind]}
                    {service.description === "" || service.kind === "daemon" ? "" : ` · ${service.description}`}
                  </small>
                </th>
                <td>
                  <ServiceBadges of={service} />
                  {service.status === service.state || service.status === service.health ? null : (
                    <small>{statusText(service.status)}</small>
                  )}
                </td>
                <td>
                  {service.started_at === null || service.state === "stopped" || service.state === "failed" ? null : (
                    <time dateTime={service.started_at} title={bothMoments(service.started_at)}>
                      {longDuration(Math.max(0, now - Date.parse(service.started_at)))}
                    </time>
                  )}
                </td>
                <td class="number">{service.restarts ?? ""}</td>
                {manages ? (
                  <td>
                    {service.may_restart ? (
                      <button type="button" class="small" onClick={() => (asked.value = service.name)}>
                        {t().restart}
                        <span class="sr">: {service.name}</span>
                      </button>
                    ) : null}
                  </td>
                ) : null}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {asked.value === undefined ? null : (
        <RestartDialog
          name={asked.value}
          shut={() => (asked.value = undefined)}
          requested={() => {
            requested.value = asked.value
            asked.value = undefined
            changed()
          }}
        />
      )}
    </>
  )
}
