/** Counts by name, bucket for bucket, on their way into a chart. Pure. */

/** Those names that count at all, in their order; what is not among them comes last. Pure. */
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

/** Each list with those before it added: what the upper edges of stacked bars are. */
export const stacked = (values: ReadonlyArray<ReadonlyArray<number>>): ReadonlyArray<ReadonlyArray<number>> => {
  let below: ReadonlyArray<number> = []
  return values.map((own) => (below = own.map((value, index) => value + (below[index] ?? 0))))
}
