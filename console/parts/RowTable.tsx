import type { ComponentChildren } from "preact"
import { words } from "../lib/Language.ts"

const t = words({ en: { actions: "Actions" }, de: { actions: "Aktionen" } })

export interface RowColumn<Row> {
  readonly title: string
  readonly show: (row: Row) => ComponentChildren
}

interface Props<Row> {
  /** Id of the heading that names the table. */
  readonly labelledBy: string
  /** The first column names the object. */
  readonly columns: ReadonlyArray<RowColumn<Row>>
  readonly rows: ReadonlyArray<Row>
  readonly keyOf: (row: Row) => string | number
  /** Actions of a row; undefined when the reader may do none. */
  readonly actions?: ((row: Row) => ComponentChildren) | undefined
}

/** Table of a card: one row for each object, with its actions in the last column. */
export const RowTable = <Row,>({ actions, columns, keyOf, labelledBy, rows }: Props<Row>) => (
  <div class="scroll" role="region" aria-labelledby={labelledBy} tabIndex={0}>
    <table class="ops-table">
      <thead>
        <tr>
          {columns.map(({ title }) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
          {actions === undefined ? null : <th scope="col">{t().actions}</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ show, title }, index) =>
              index === 0 ? (
                <th key={title} scope="row">
                  {show(row)}
                </th>
              ) : (
                <td key={title}>{show(row)}</td>
              )
            )}
            {actions === undefined ? null : <td>{actions(row)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
