import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { ConfirmDialog } from "../../../parts/ConfirmDialog.tsx"
import { Loading } from "../../../parts/Loading.tsx"
import { RowMenu } from "../../../parts/RowMenu.tsx"
import { RowTable } from "../../../parts/RowTable.tsx"
import { told } from "../Words.ts"
import { mayChange, nameOf, type Service } from "./Catalog.ts"
import { ServiceForm } from "./ServiceForm.tsx"

const t = words({
  en: {
    title: "Services",
    service: "Service",
    feature: "Feature",
    always: "always booked",
    template: "Configuration",
    add: "Add a service",
    change: "Change",
    remove: "Delete",
    removeThis: (name: string) => `Delete ${name}`,
    loses:
      "The service and its rules are deleted and cannot be restored. New devices do not get it, and devices that " +
      "have it keep their settings."
  },
  de: {
    title: "Dienste",
    service: "Dienst",
    feature: "Merkmal",
    always: "immer gebucht",
    template: "Konfiguration",
    add: "Dienst hinzufügen",
    change: "Ändern",
    remove: "Löschen",
    removeThis: (name: string) => `${name} löschen`,
    loses:
      "Der Dienst und seine Regeln werden gelöscht und lassen sich nicht wiederherstellen. Neue Geräte bekommen ihn " +
      "nicht; Geräte, die ihn haben, behalten ihre Einstellungen."
  }
})

/** The services, with a form that adds or changes one. `changed`: called when services are added or deleted. */
export const Services = ({ changed }: { readonly changed: () => void }) => {
  const services = useLoad(() => call("GET /api/v1/provisioning/services"))
  /** Slug of the service whose form is open; null to add one. */
  const open = useSignal<string | null | undefined>(undefined)
  const removing = useSignal<Service | undefined>(undefined)
  const shut = () => (open.value = undefined)
  const again = () => {
    shut()
    services.reload()
    changed()
  }
  return (
    <section class="device-section" aria-labelledby="services">
      <div class="card-head">
        <h2 id="services">{t().title}</h2>
        {mayChange() && open.value !== null ? (
          <button type="button" onClick={() => (open.value = null)}>
            {t().add}
          </button>
        ) : null}
      </div>
      {open.value === null ? <ServiceForm service={undefined} shut={shut} saved={again} /> : null}
      {removing.value === undefined ? null : (
        <ConfirmDialog
          title={t().removeThis(nameOf(removing.value))}
          action={t().remove}
          told={told}
          close={() => (removing.value = undefined)}
          work={async () => {
            await call("DELETE /api/v1/provisioning/services/:slug", { params: { slug: removing.value!.slug } })
            again()
          }}
        >
          <p>{t().loses}</p>
        </ConfirmDialog>
      )}
      <Loading of={services}>
        {({ items }) => {
          const chosen = items.find(({ slug }) => slug === open.value)
          return (
            <>
              {chosen === undefined ? null : (
                <ServiceForm key={chosen.slug} service={chosen} shut={shut} saved={again} />
              )}
              <RowTable
                class="device-table"
                label={t().title}
                rows={items}
                keyOf={({ slug }) => slug}
                columns={[
                  {
                    title: t().service,
                    show: (service) => (
                      <>
                        {nameOf(service)} {service.is_base ? <Badge tone="quiet">{t().always}</Badge> : null}
                        <small>{service.slug}</small>
                      </>
                    )
                  },
                  { title: t().feature, show: ({ feature_slug }) => feature_slug },
                  {
                    title: t().template,
                    show: ({ config_template }) => (
                      <>
                        {String(config_template["url_template"] ?? "")}
                        <small>{String(config_template["protocol"] ?? "")}</small>
                      </>
                    )
                  }
                ]}
                actions={
                  mayChange()
                    ? (service) => (
                        <RowMenu
                          of={nameOf(service)}
                          actions={[
                            { text: t().change, act: () => (open.value = service.slug) },
                            ...(service.is_base
                              ? []
                              : [{ text: t().remove, danger: true, act: () => (removing.value = service) }])
                          ]}
                        />
                      )
                    : undefined
                }
              />
            </>
          )
        }}
      </Loading>
    </section>
  )
}
