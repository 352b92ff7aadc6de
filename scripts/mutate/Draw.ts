// Draws mutants at random: a file with a probability in proportion to its lines, then one of its mutants. Pure. The
// same seed and the same files give the same mutants.

import type { SourceText } from "../../tests/support/Arrows.ts"
import { make } from "../../tests/support/Random.ts"
import { isParsable, type Mutant, mutantsOf, mutate } from "./Mutants.ts"

/** At most `count` different mutants. */
export const draw = (files: ReadonlyArray<SourceText>, seed: number, count: number): ReadonlyArray<Mutant> => {
  const random = make(seed)
  const pools = files.map(({ path, text }) => ({
    text,
    lines: text.split("\n").length,
    mutants: undefined as Array<Mutant> | undefined,
    path
  }))
  const drawn: Array<Mutant> = []
  while (drawn.length < count && pools.length > 0) {
    let at = random.next() * pools.reduce((sum, { lines }) => sum + lines, 0)
    const index = pools.findIndex(({ lines }) => (at -= lines) < 0)
    const pool = pools[index]!
    pool.mutants ??= [...mutantsOf(pool.path, pool.text)]
    const [mutant] = pool.mutants.splice(Math.floor(random.next() * pool.mutants.length), 1)
    if (mutant === undefined) pools.splice(index, 1)
    else if (isParsable(mutant.file, mutate(pool.text, mutant))) drawn.push(mutant)
  }
  return drawn
}

/** Files whose behaviour tests can see: product code, without the lists of what a feature exports. */
export const mutable = (files: ReadonlyArray<SourceText>): ReadonlyArray<SourceText> =>
  files.filter(({ path }) => /^(core|protocols|daemons)\/.*\.ts$/.test(path) && !/\/Exports\.ts$|\.d\.ts$/.test(path))
