/** Repeatable random numbers: the same seed gives the same numbers (mulberry32). Not for secrets. */
export interface Random {
  readonly seed: number
  /** 0 (inclusive) to 1 (exclusive). */
  readonly next: () => number
  /** `least` (inclusive) to `most` (exclusive). */
  readonly between: (least: number, most: number) => number
  readonly shuffled: <A>(items: ReadonlyArray<A>) => ReadonlyArray<A>
}

/** Environment variable with the seed that repeats a run. */
export const seedVariable = "SIGNALBOX_TEST_SEED"

/** Uses the seed of `SIGNALBOX_TEST_SEED`, else a new one. */
export const make = (seed = Number(process.env[seedVariable] ?? Date.now() % 1_000_000)): Random => {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number) => least + next() * (most - least)
  return {
    seed,
    next,
    between,
    shuffled: (items) => {
      const rest = [...items]
      return items.map(() => rest.splice(Math.floor(next() * rest.length), 1)[0]!)
    }
  }
}
