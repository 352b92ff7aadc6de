import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { Loading } from "../../../parts/Loading.tsx"
import { nameIn } from "./Catalog.ts"

const t = words({
  en: {
    title: "What your tenant has booked",
    plan: "Plan",
    modules: "Modules",
    packages: "Packages",
    addons: "Addons",
    nothing: "nothing",
    services: "Services",
    base: "always booked",
    no_bookings: "booked, because there are no bookings",
    module: "booked by a module",
    package: "booked by a package",
    not_booked: "not booked"
  },
  de: {
    title: "Was Ihr Mandant gebucht hat",
    plan: "Tarif",
    modules: "Module",
    packages: "Pakete",
    addons: "Zusätze",
    nothing: "nichts",
    services: "Dienste",
    base: "immer gebucht",
    no_bookings: "gebucht, weil es keine Buchungen gibt",
    module: "gebucht durch ein Modul",
    package: "gebucht durch ein Paket",
    not_booked: "nicht gebucht"
  }
})

/** Card with the plan and bookings of the user's tenant, and for each service whether it is booked and why. */
export const Bookings = () => {
  const all = useLoad(async () => {
    const [bookings, catalog] = await Promise.all([
      call("GET /api/v1/provisioning/bookings"),
      call("GET /api/v1/provisioning/services")
    ])
    return { ...bookings, catalog: catalog.items }
  })
  const listed = (names: ReadonlyArray<string>): string => (names.length === 0 ? t().nothing : names.join(", "))
  return (
    <section class="card device-section" aria-labelledby="bookings">
      <h2 id="bookings">{t().title}</h2>
      <Loading of={all}>
        {({ addons, catalog, modules, plan, services, subscriptions }) => (
          <>
            <dl class="facts">
              <dt>{t().plan}</dt>
              <dd>{plan}</dd>
              <dt>{t().modules}</dt>
              <dd>{listed(modules.map(({ slug }) => slug))}</dd>
              <dt>{t().packages}</dt>
              <dd>{listed(subscriptions.map((one) => one.package.name))}</dd>
              <dt>{t().addons}</dt>
              <dd>{listed(addons.map(({ slug }) => slug))}</dd>
            </dl>
            <ul class="device-services" aria-label={t().services}>
              {services.map(({ booked, reason, slug }) => (
                <li key={slug}>
                  <span>{nameIn(catalog, slug)}</span>
                  <Badge tone={booked ? "success" : "quiet"}>{t()[reason]}</Badge>
                </li>
              ))}
            </ul>
          </>
        )}
      </Loading>
    </section>
  )
}
