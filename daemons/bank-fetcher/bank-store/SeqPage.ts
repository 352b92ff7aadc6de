/** Pages of lists in the order of `seq`, whose items have UUIDs. Pure. */

/** Page of rows that were read with one row more than `limit`. `seq` of the last row is `before` of the next page. */
export const pagedBySeq = <A extends { readonly seq: number }, B>(
  rows: ReadonlyArray<A>,
  limit: number,
  view: (row: A) => B
) => ({ items: rows.slice(0, limit).map(view), next_before: rows.length > limit ? rows[limit - 1]!.seq : null })
