/** Indexes over the rows of one table, updated as rows change. They do no input or output. */

/** Index by a unique key. */
export interface Unique<Row> {
  readonly get: (key: string) => Row | undefined
  readonly add: (row: Row) => void
  readonly drop: (row: Row) => void
}

/** Creates a unique index. `key`: undefined excludes the row. */
export const unique = <Row>(key: (row: Row) => string | undefined): Unique<Row> => {
  const rows = new Map<string, Row>()
  return {
    get: (wanted) => rows.get(wanted),
    add: (row) => {
      const own = key(row)
      if (own !== undefined) rows.set(own, row)
    },
    drop: (row) => {
      const own = key(row)
      // When two rows swap their keys, the key may already point to the other row.
      if (own !== undefined && rows.get(own) === row) rows.delete(own)
    }
  }
}

/** Index of rows by owner, sorted. */
export interface Grouped<Row> {
  readonly get: (owner: number) => ReadonlyArray<Row>
  readonly add: (row: Row) => void
  readonly drop: (row: Row) => void
}

/** Creates a grouped index. `owner`: null excludes the row. `order`: by ID by default. */
export const grouped = <Row extends { readonly id: number }>(
  owner: (row: Row) => number | null,
  order: (a: Row, b: Row) => number = (a, b) => a.id - b.id
): Grouped<Row> => {
  const groups = new Map<number, { readonly rows: Map<number, Row>; sorted: ReadonlyArray<Row> | undefined }>()
  return {
    get: (wanted) => {
      const group = groups.get(wanted)
      return group === undefined ? [] : (group.sorted ??= Array.from(group.rows.values()).sort(order))
    },
    add: (row) => {
      const own = owner(row)
      if (own === null) return
      let group = groups.get(own)
      if (group === undefined) groups.set(own, (group = { rows: new Map(), sorted: undefined }))
      group.rows.set(row.id, row)
      group.sorted = undefined
    },
    drop: (row) => {
      const own = owner(row)
      const group = own === null ? undefined : groups.get(own)
      if (group?.rows.get(row.id) !== row) return
      group.rows.delete(row.id)
      group.sorted = undefined
      if (group.rows.size === 0) groups.delete(own!)
    }
  }
}
