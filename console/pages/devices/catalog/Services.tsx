import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { Loading } from "../../../parts/Loading.tsx"
import { mayChange, nameOf } from "./Catalog.ts"
import { ServiceForm } from "./ServiceForm.tsx"

const t = words({
  en: {
    title: "Services",
    service: "Service",
    feature: "Feature",
    always: "always booked",
    template: "Configuration",
    actions: "Actions",
    change: "Change"
  },
  de: {
    title: "Dienste",
    service: "Dienst",
    feature: "Merkmal",
    always: "immer gebucht",
    template: "Konfiguration",
    actions: "Aktionen",
    change: "Ändern"
  }
})

/** The services, with a form that changes one. */
export const Services = () => {
  const services = useLoad(() => call("GET /api/v1/provisioning/services"))
  const open = useSignal<string | undefined>(undefined)
  return (
    <section class="device-section" aria-labelledby="services">
      <h2 id="services">{t().title}</h2>
      <Loading of={services}>
        {({ items }) => {
          const chosen = items.find(({ slug }) => slug === open.value)
          return (
            <>
              {chosen === undefined ? null : (
                <ServiceForm
                  key={chosen.slug}
                  service={chosen}
                  shut={() => (open.value = undefined)}
                  saved={() => {
                    open.value = undefined
                    services.reload()
                  }}
                />
              )}
              <div class="scroll" role="region" aria-label={t().title} tabIndex={0}>
                <table class="device-table">
                  <caption class="sr">{t().title}</caption>
                  <thead>
                    <tr>
                      <th scope="col">{t().service}</th>
                      <th scope="col">{t().feature}</th>
                      <th scope="col">{t().template}</th>
                      {mayChange() ? <th scope="col">{t().actions}</th> : null}
                    </tr>
                  </thead>
                  <tbody>
                    {items.map((service) => (
                      <tr key={service.slug}>
                        <th scope="row">
                          {nameOf(service)} {service.is_base ? <Badge tone="quiet">{t().always}</Badge> : null}
                          <small>{service.slug}</small>
                        </th>
                        <td>{service.feature_slug}</td>
                        <td>
                          {String(service.config_template["url_template"] ?? "")}
                          <small>{String(service.config_template["protocol"] ?? "")}</small>
                        </td>
                        {mayChange() ? (
                          <td>
                            <button type="button" class="small" onClick={() => (open.value = service.slug)}>
                              {t().change}
                              <span class="sr">: {nameOf(service)}</span>
                            </button>
                          </td>
                        ) : null}
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            </>
          )
        }}
      </Loading>
    </section>
  )
}
