/** Bars upon one another. Pure. */

/** Each list with those before it added: what the upper edges of stacked bars are. */
export const stacked = (values: ReadonlyArray<ReadonlyArray<number>>): ReadonlyArray<ReadonlyArray<number>> => {
  let below: ReadonlyArray<number> = []
  return values.map((own) => (below = own.map((value, index) => value + (below[index] ?? 0))))
}
