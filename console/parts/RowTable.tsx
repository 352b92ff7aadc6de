import type { ComponentChildren } from "preact"
import { words } from "../lib/Language.ts"

const t = words({ en: { actions: "Actions" }, de: { actions: "Aktionen" } })

export interface RowColumn<Row> {
  readonly title: string
  readonly show: (row: Row) => ComponentChildren
  /** Whether the cells are numbers, which are aligned at their end. */
  readonly numeric?: true
}

/** Id of the heading that names the table, or its name where no heading does. */
type Named = { readonly labelledBy: string } | { readonly label: string }

interface Props<Row> {
  /** Class of the table, from the styles of the page. Default: that of operations. */
  readonly class?: string
  /** The first column names the object. */
  readonly columns: ReadonlyArray<RowColumn<Row>>
  readonly rows: ReadonlyArray<Row>
  readonly keyOf: (row: Row) => string | number
  /** Actions of a row; undefined when the reader may do none. */
  readonly actions?: ((row: Row) => ComponentChildren) | undefined
}

/** Table: one row for each object, with its actions in the last column. */
export const RowTable = <Row,>({
  actions,
  class: kind = "ops-table",
  columns,
  keyOf,
  rows,
  ...named
}: Props<Row> & Named) => (
  <div
    class="scroll"
    role="region"
    tabIndex={0}
    {...("label" in named ? { "aria-label": named.label } : { "aria-labelledby": named.labelledBy })}
  >
    <table class={kind}>
      {"label" in named ? <caption class="sr">{named.label}</caption> : null}
      <thead>
        <tr>
          {columns.map(({ numeric, title }) => (
            <th key={title} scope="col" {...(numeric === true ? { class: "number" } : {})}>
              {title}
            </th>
          ))}
          {actions === undefined ? null : <th scope="col">{t().actions}</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ numeric, show, title }, index) =>
              index === 0 ? (
                <th key={title} scope="row">
                  {show(row)}
                </th>
              ) : (
                <td key={title} {...(numeric === true ? { class: "number" } : {})}>
                  {show(row)}
                </td>
              )
            )}
            {actions === undefined ? null : <td>{actions(row)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
