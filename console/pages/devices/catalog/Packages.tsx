import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { ConfirmDialog } from "../../../parts/ConfirmDialog.tsx"
import { Empty } from "../../../parts/Empty.tsx"
import { Loading } from "../../../parts/Loading.tsx"
import { RowMenu } from "../../../parts/RowMenu.tsx"
import { RowTable } from "../../../parts/RowTable.tsx"
import { FieldsForm } from "../../telephony/FieldsForm.tsx"
import type { Field } from "../../telephony/Kind.ts"
import { told as toldOfFields } from "../../telephony/Refusals.ts"
import { told } from "../Words.ts"
import { mayChange, type Package } from "./Catalog.ts"

const t = words({
  en: {
    title: "Packages",
    add: "Add a package",
    none: "No packages yet",
    about: "A package is what a tenant subscribes to. Rules say which services it includes.",
    name: "Name",
    slug: "Short name",
    slugHint: "Small letters, digits and -, such as office-large",
    type: "Type",
    typeHint: "Rules may name it for all packages of one type, such as office",
    remove: "Delete",
    removeThis: (name: string) => `Delete ${name}`,
    loses: "The package is deleted and cannot be restored. It can only be deleted while nobody has it."
  },
  de: {
    title: "Pakete",
    add: "Paket hinzufügen",
    none: "Noch keine Pakete",
    about: "Ein Paket ist, was ein Mandant abonniert. Regeln sagen, welche Dienste darin sind.",
    name: "Name",
    slug: "Kurzname",
    slugHint: "Kleine Buchstaben, Ziffern und -, etwa office-large",
    type: "Art",
    typeHint: "Regeln können sie für alle Pakete einer Art nennen, etwa office",
    remove: "Löschen",
    removeThis: (name: string) => `${name} löschen`,
    loses: "Das Paket wird gelöscht und lässt sich nicht wiederherstellen. Das geht nur, solange es niemand hat."
  }
})

const fields: ReadonlyArray<Field> = [
  { name: "name", label: () => t().name, input: { kind: "text" }, required: true },
  { name: "slug", label: () => t().slug, hint: () => t().slugHint, input: { kind: "text" }, required: true },
  { name: "type", label: () => t().type, hint: () => t().typeHint, input: { kind: "text" }, required: true }
]

/** The packages; adds and deletes them. `changed`: called after both. */
export const Packages = ({ changed }: { readonly changed: () => void }) => {
  const packages = useLoad(() => call("GET /api/v1/provisioning/packages"))
  const adding = useSignal(false)
  const removing = useSignal<Package | undefined>(undefined)
  const again = () => {
    packages.reload()
    changed()
  }
  const add =
    mayChange() && !adding.value ? (
      <button type="button" onClick={() => (adding.value = true)}>
        {t().add}
      </button>
    ) : undefined
  return (
    <section class="device-section" aria-labelledby="packages">
      <div class="card-head">
        <h2 id="packages">{t().title}</h2>
        {(packages.value.value?.items.length ?? 0) > 0 ? add : null}
      </div>
      {adding.value ? (
        <FieldsForm
          title={t().add}
          fields={fields}
          row={undefined}
          told={(problem, shown) => (problem.code === "slug_taken" ? told(problem) : toldOfFields(problem, shown))}
          shut={() => (adding.value = false)}
          send={async (payload) => {
            await call("POST /api/v1/provisioning/packages", { payload: payload as never })
            adding.value = false
            again()
          }}
        />
      ) : null}
      {removing.value === undefined ? null : (
        <ConfirmDialog
          title={t().removeThis(removing.value.name)}
          action={t().remove}
          told={told}
          close={() => (removing.value = undefined)}
          work={async () => {
            await call("DELETE /api/v1/provisioning/packages/:id", { params: { id: removing.value!.id } })
            again()
          }}
        >
          <p>{t().loses}</p>
        </ConfirmDialog>
      )}
      <Loading of={packages}>
        {({ items }) =>
          items.length === 0 ? (
            adding.value ? null : (
              <Empty title={t().none} text={t().about}>
                {add}
              </Empty>
            )
          ) : (
            <RowTable
              class="device-table"
              labelledBy="packages"
              rows={items}
              keyOf={({ id }) => id}
              columns={[
                {
                  title: t().name,
                  show: ({ name, slug }) => (
                    <>
                      {name}
                      <small>{slug}</small>
                    </>
                  )
                },
                { title: t().type, show: ({ type }) => type }
              ]}
              actions={
                mayChange()
                  ? (one) => (
                      <RowMenu
                        of={one.name}
                        actions={[{ text: t().remove, danger: true, act: () => (removing.value = one) }]}
                      />
                    )
                  : undefined
              }
            />
          )
        }
      </Loading>
    </section>
  )
}
