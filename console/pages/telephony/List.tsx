import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { may } from "../../lib/Me.ts"
import { offerUndo } from "../../lib/Undo.ts"
import { useFilters } from "../../parts/Address.ts"
import { Empty } from "../../parts/Empty.tsx"
import { Loading } from "../../parts/Loading.tsx"
import { Pager, useTrail } from "../../parts/Pager.tsx"
import { type RowAction, RowMenu } from "../../parts/RowMenu.tsx"
import { useDoing } from "../../lib/Doing.ts"
import { useFilterable } from "../../parts/Filterable.ts"
import { Sure, usual } from "../mail/Sure.tsx"
import { draftOf, newPayload, wayBack } from "./Draft.ts"
import { Filters } from "./Filters.tsx"
import { Form } from "./Form.tsx"
import type { Kind } from "./Kind.ts"
import { told } from "./Refusals.ts"
import { list, remove, save } from "./Store.ts"

const t = words({
  en: {
    actions: "Actions",
    change: "Change",
    remove: "Delete",
    sure: "Really delete?",
    noneSo: "Nothing matches the filters.",
    saved: (name: string) => `${name} is saved.`,
    removed: (name: string) => `${name} is deleted.`,
    of: (what: string, name: string) => `${what}: ${name}`
  },
  de: {
    actions: "Aktionen",
    change: "Ändern",
    remove: "Löschen",
    sure: "Wirklich löschen?",
    noneSo: "Nichts passt zu den Filtern.",
    saved: (name: string) => `${name} ist gespeichert.`,
    removed: (name: string) => `${name} ist gelöscht.`,
    of: (what: string, name: string) => `${what}: ${name}`
  }
})

/** Objects per page. */
const pageSize = 50

interface Props<Row extends { readonly id: number }> {
  readonly of: Kind<Row>
  /** Additional actions for a row. */
  readonly actions?: (row: Row, reload: () => void) => ComponentChildren
  /** Rare actions of a row, in a menu. With it, deleting is the last entry of the menu instead of a button. */
  readonly menu?: (row: Row, reload: () => void) => ReadonlyArray<RowAction>
  /** Remarks about an object that was just saved. */
  readonly remarks?: (row: Row) => ReadonlyArray<string>
}

/** List of one kind, with filters, pages and actions. */
export const List = <Row extends { readonly id: number }>({ actions, menu, of, remarks }: Props<Row>) => {
  const filters = useFilters<string>(Object.fromEntries((of.filters ?? []).map(({ name }) => [name, ""])))
  const keys = Object.values(filters.value)
  const trail = useTrail(keys)
  const before = trail.value.at(-1)
  const loaded = useLoad(
    () => list(of, { limit: pageSize, before, ...filters.value }),
    [...keys, before],
    of.live === undefined ? {} : { live: of.live }
  )
  const open = useSignal<Row | "new" | undefined>(undefined)
  const done = useSignal<{ readonly said: () => string; readonly remarks: ReadonlyArray<string> } | undefined>(
    undefined
  )
  const doing = useDoing()
  const manages = may(of.manage)
  const edit = (what: Row | "new") => {
    open.value = what
    done.value = undefined
  }
  const shut = () => (open.value = undefined)
  const saved = (row: Row, before: Row | undefined, sent: Readonly<Record<string, unknown>>) => {
    shut()
    const name = of.called(row)
    // A change of an object that its form shows otherwise cannot be derived from the fields.
    const back = before === undefined || of.inForm !== undefined ? undefined : wayBack(of.fields, row, before, sent)
    const said = () => t().saved(name)
    if (back !== undefined) offerUndo({ done: said, undo: () => save(of, back, row) })
    done.value = { said: back === undefined ? said : () => "", remarks: remarks?.(row) ?? [] }
    loaded.reload()
  }
  const removed = (row: Row) => {
    done.value = undefined
    void doing
      .run(() => remove(of, row))
      .then((gone) => {
        if (!gone) return
        const said = () => t().removed(of.called(row))
        if (of.remade === true)
          offerUndo({ done: said, undo: () => save(of, newPayload(of.fields, draftOf(of.fields, row))) })
        else done.value = { said, remarks: [] }
        if (open.value !== "new" && open.value?.id === row.id) shut()
        loaded.reload()
      })
  }
  const removal = (row: Row): RowAction => ({
    text: t().remove,
    danger: true,
    disabled: doing.busy.value,
    act: () => removed(row),
    ...(of.remade === true ? {} : { asks: { sure: t().sure, loses: of.loses?.(row) ?? usual().usual } })
  })
  const isFiltered = keys.some((one) => one !== "")
  const isEmpty = loaded.value.value?.items.length === 0 && !isFiltered && before === undefined
  const filterable = useFilterable(loaded, isFiltered || before !== undefined)
  const add =
    manages && open.value !== "new" ? (
      <button type="button" class="primary" onClick={() => edit("new")}>
        {of.add()}
      </button>
    ) : undefined
  return (
    <>
      {isEmpty && !filterable ? null : (
        <div class="filters">
          {filterable ? <Filters of={of.filters ?? []} filters={filters} /> : null}
          {isEmpty ? null : add}
        </div>
      )}
      <div role="status">
        {(done.value?.said() ?? "") === "" ? null : <p class="done">{done.value?.said()}</p>}
        {(done.value?.remarks ?? []).map((remark) => (
          <p key={remark} class="remark">
            {remark}
          </p>
        ))}
      </div>
      <div role="alert" class={doing.problem.value === undefined ? "" : "trouble"}>
        {doing.problem.value === undefined ? null : <p>{told(doing.problem.value)}</p>}
      </div>
      {open.value === undefined ? null : (
        <Form
          key={open.value === "new" ? "new" : open.value.id}
          of={of}
          row={open.value === "new" ? undefined : open.value}
          saved={saved}
          shut={shut}
        />
      )}
      <Loading of={loaded}>
        {({ items, next_before }) => (
          <>
            {items.length === 0 ? (
              <Empty
                text={isFiltered ? t().noneSo : (of.about?.() ?? of.none())}
                {...(isFiltered || of.about === undefined ? {} : { title: of.none() })}
              >
                {isEmpty ? add : undefined}
              </Empty>
            ) : (
              <div class="scroll" role="region" aria-label={of.title()} tabIndex={0}>
                <table>
                  <caption class="sr">{of.title()}</caption>
                  <thead>
                    <tr>
                      {of.columns.map(({ title }, at) => (
                        <th key={at} scope="col">
                          {title()}
                        </th>
                      ))}
                      {manages || actions !== undefined ? <th scope="col">{t().actions}</th> : null}
                    </tr>
                  </thead>
                  <tbody>
                    {items.map((row) => (
                      <tr key={row.id}>
                        {of.columns.map(({ show }, at) => (
                          <td key={at}>{show(row)}</td>
                        ))}
                        {manages || actions !== undefined ? (
                          <td>
                            <div class="page-actions">
                              {actions?.(row, loaded.reload)}
                              {manages ? (
                                <>
                                  {of.fixed === true ? null : (
                                    <button
                                      type="button"
                                      class="small"
                                      aria-label={t().of(t().change, of.called(row))}
                                      onClick={() => edit(row)}
                                    >
                                      {t().change}
                                    </button>
                                  )}
                                  {menu !== undefined ? null : of.remade === true ? (
                                    <button
                                      type="button"
                                      class="small"
                                      aria-label={t().of(t().remove, of.called(row))}
                                      disabled={doing.busy.value}
                                      onClick={() => removed(row)}
                                    >
                                      {t().remove}
                                    </button>
                                  ) : (
                                    <Sure
                                      sure={t().sure}
                                      disabled={doing.busy.value}
                                      onSure={() => removed(row)}
                                      {...(of.loses === undefined ? {} : { loses: of.loses(row) })}
                                    >
                                      {t().remove}
                                      <span class="sr">: {of.called(row)}</span>
                                    </Sure>
                                  )}
                                </>
                              ) : null}
                              {menu === undefined ? null : (
                                <RowMenu
                                  of={of.called(row)}
                                  actions={[...menu(row, loaded.reload), ...(manages ? [removal(row)] : [])]}
                                />
                              )}
                            </div>
                          </td>
                        ) : null}
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            )}
            <Pager trail={trail} next={next_before} />
          </>
        )}
      </Loading>
    </>
  )
}
