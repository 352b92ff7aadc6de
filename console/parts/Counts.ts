/** Prepares counts by name and bucket for a chart. Pure. */

/** Names with a count above zero, in the given order; unknown names come last. */
export const present = (
  counts: ReadonlyArray<Readonly<Record<string, number>>>,
  order: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const found = new Set(
    counts.flatMap((count) =>
      Object.entries(count)
        .filter(([, number]) => number > 0)
        .map(([name]) => name)
    )
  )
  return [...order.filter((name) => found.has(name)), ...[...found].filter((name) => !order.includes(name)).sort()]
}

/** Adds to each list the lists before it: the upper edges of stacked bars. */
export const stacked = (values: ReadonlyArray<ReadonlyArray<number>>): ReadonlyArray<ReadonlyArray<number>> => {
  let below: ReadonlyArray<number> = []
  return values.map((own) => (below = own.map((value, index) => value + (below[index] ?? 0))))
}
