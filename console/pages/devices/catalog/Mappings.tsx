import { useRef } from "preact/hooks"
import { call } from "../../../lib/Call.ts"
import type { Answer } from "../../../lib/Endpoints.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { Loading } from "../../../parts/Loading.tsx"
import { useDoing } from "../../../lib/Doing.ts"
import { undoable } from "../../../lib/Undo.ts"
import { undoWords } from "../../../lib/UndoWords.ts"
import { Refused } from "../Words.ts"
import { mayChange, nameIn, nameOf } from "./Catalog.ts"

const t = words({
  en: {
    title: "When a service is booked",
    none: "There is no rule. A service that is not always booked is then booked only for tenants without any booking.",
    service: "Service",
    module: "Module",
    type: "Type of package",
    package: "Package",
    actions: "Actions",
    remove: "Delete",
    one: (service: string) => `The rule for ${service}`,
    add: "Add",
    any: "any",
    hint: "Fill in at least one of module, type and package."
  },
  de: {
    title: "Wann ein Dienst gebucht ist",
    none:
      "Es gibt keine Regel. Ein Dienst, der nicht immer gebucht ist, ist dann nur für Mandanten ohne jede Buchung " +
      "gebucht.",
    service: "Dienst",
    module: "Modul",
    type: "Art des Pakets",
    package: "Paket",
    actions: "Aktionen",
    remove: "Löschen",
    one: (service: string) => `Die Regel für ${service}`,
    add: "Hinzufügen",
    any: "beliebig",
    hint: "Füllen Sie mindestens eines von Modul, Art und Paket aus."
  }
})

type Mapping = Pick<
  Answer<"GET /api/v1/provisioning/mappings">["items"][number],
  "id" | "service" | "module_slug" | "package_type" | "package_id"
>

const make = ({ module_slug, package_id, package_type, service }: Omit<Mapping, "id">) =>
  call("POST /api/v1/provisioning/mappings", {
    payload: {
      service,
      ...(module_slug === null ? {} : { module_slug }),
      ...(package_type === null ? {} : { package_type }),
      ...(package_id === null ? {} : { package_id })
    }
  })

/** Card with the mappings: rules that say which module or package includes which service. */
export const Mappings = () => {
  const all = useLoad(async () => {
    const [mappings, services, packages] = await Promise.all([
      call("GET /api/v1/provisioning/mappings"),
      call("GET /api/v1/provisioning/services"),
      call("GET /api/v1/provisioning/packages")
    ])
    return { mappings: mappings.items, services: services.items, packages: packages.items }
  })
  const doing = useDoing()
  const form = useRef<HTMLFormElement>(null)
  const remove = ({ id, ...mapping }: Mapping) =>
    void doing
      .run(() =>
        undoable(
          () => call("DELETE /api/v1/provisioning/mappings/:id", { params: { id } }),
          () => undoWords().removed(t().one(nameIn(all.value.value?.services ?? [], mapping.service))),
          () => make(mapping)
        )
      )
      .then(() => all.reload())
  const add = (event: Event) => {
    event.preventDefault()
    const given = new FormData(form.current!)
    const text = (name: string) => String(given.get(name) ?? "").trim()
    void doing
      .run(() =>
        call("POST /api/v1/provisioning/mappings", {
          payload: {
            service: text("service"),
            ...(text("module") === "" ? {} : { module_slug: text("module") }),
            ...(text("type") === "" ? {} : { package_type: text("type") }),
            ...(text("package") === "" ? {} : { package_id: Number(text("package")) })
          }
        })
      )
      .then((done) => {
        if (!done) return
        form.current?.reset()
        all.reload()
      })
  }
  return (
    <section class="device-section" aria-labelledby="mappings">
      <h2 id="mappings">{t().title}</h2>
      <Loading of={all}>
        {({ mappings, packages, services }) => (
          <>
            {mappings.length === 0 ? (
              <p class="soft">{t().none}</p>
            ) : (
              <div class="scroll" role="region" aria-label={t().title} tabIndex={0}>
                <table class="device-table">
                  <caption class="sr">{t().title}</caption>
                  <thead>
                    <tr>
                      <th scope="col">{t().service}</th>
                      <th scope="col">{t().module}</th>
                      <th scope="col">{t().type}</th>
                      <th scope="col">{t().package}</th>
                      {mayChange() ? <th scope="col">{t().actions}</th> : null}
                    </tr>
                  </thead>
                  <tbody>
                    {mappings.map(({ id, module_slug, package_id, package_type, service }) => (
                      <tr key={id}>
                        <th scope="row">{nameIn(services, service)}</th>
                        <td>{module_slug ?? ""}</td>
                        <td>{package_type ?? ""}</td>
                        <td>{packages.find((one) => one.id === package_id)?.name ?? ""}</td>
                        {mayChange() ? (
                          <td>
                            <button
                              type="button"
                              class="small danger"
                              disabled={doing.busy.value}
                              onClick={() => remove({ id, module_slug, package_id, package_type, service })}
                            >
                              {t().remove}
                              <span class="sr">: {nameIn(services, service)}</span>
                            </button>
                          </td>
                        ) : null}
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            )}
            <Refused problem={doing.problem.value} />
            {mayChange() ? (
              <form ref={form} class="stack" onSubmit={add} aria-label={t().add}>
                <label>
                  {t().service}
                  <select name="service" required>
                    {services.map((service) => (
                      <option key={service.slug} value={service.slug}>
                        {nameOf(service)}
                      </option>
                    ))}
                  </select>
                </label>
                <label>
                  {t().module}
                  <input name="module" autocomplete="off" />
                  <small>{t().hint}</small>
                </label>
                <label>
                  {t().type}
                  <input name="type" autocomplete="off" />
                </label>
                <label>
                  {t().package}
                  <select name="package">
                    <option value="">{t().any}</option>
                    {packages.map(({ id, name }) => (
                      <option key={id} value={id}>
                        {name}
                      </option>
                    ))}
                  </select>
                </label>
                <div class="page-actions">
                  <button type="submit" disabled={doing.busy.value}>
                    {t().add}
                  </button>
                </div>
              </form>
            ) : null}
          </>
        )}
      </Loading>
    </section>
  )
}
