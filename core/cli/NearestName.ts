/** Finds the name that a misspelt one probably means. Pure. */

/**
 * Number of edits between two words: insertions, deletions, substitutions and swaps of neighbours. Optimal string
 * alignment distance.
 */
export const editDistance = (a: string, b: string): number => {
  const rows = Array.from({ length: a.length + 1 }, (_, row) => [row, ...Array<number>(b.length).fill(0)])
  for (let column = 0; column <= b.length; column++) rows[0]![column] = column
  for (let row = 1; row <= a.length; row++) {
    for (let column = 1; column <= b.length; column++) {
      const substitution = a[row - 1] === b[column - 1] ? 0 : 1
      let best = Math.min(
        rows[row - 1]![column]! + 1,
        rows[row]![column - 1]! + 1,
        rows[row - 1]![column - 1]! + substitution
      )
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        best = Math.min(best, rows[row - 2]![column - 2]! + 1)
      }
      rows[row]![column] = best
    }
  }
  return rows[a.length]![b.length]!
}

/** Largest share of a name that may differ. Reason: above a third, the suggestion is usually another setting. */
const tolerated = 1 / 3

/** The most similar of the known names; undefined when none is similar. */
export const nearestName = (name: string, known: ReadonlyArray<string>): string | undefined => {
  const [best] = known
    .map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
    .toSorted((a, b) => a.distance - b.distance)
  return best !== undefined && best.distance <= Math.floor(name.length * tolerated) ? best.candidate : undefined
}
