/**
 * Repeatable random numbers: the same seed gives the same numbers on every machine. The state is one number, so a
 * training can store it and continue. Not for secrets. Source: mulberry32 by Tommy Ettinger, public domain.
 */
export interface Random {
  /** State after the last number; `makeRandom(state)` continues the sequence. Unit: unsigned 32-bit integer. */
  readonly state: () => number
  /** 0 (inclusive) to 1 (exclusive). */
  readonly next: () => number
  /** `least` (inclusive) to `most` (exclusive). */
  readonly between: (least: number, most: number) => number
  /** Integer from 0 (inclusive) to `count` (exclusive). */
  readonly below: (count: number) => number
  /** Normal distribution with mean 0 and deviation 1. */
  readonly normal: () => number
  /** One of the items. Throws a `RangeError` for an empty list. */
  readonly pick: <A>(items: ReadonlyArray<A>) => A
  readonly shuffled: <A>(items: ReadonlyArray<A>) => Array<A>
}

export const makeRandom = (seed: number): Random => {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (count: number) => Math.floor(next() * count)
  return {
    state: () => state,
    next,
    below,
    between: (least, most) => least + next() * (most - least),
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    pick: (items) => {
      if (items.length === 0) throw new RangeError("no items to pick from")
      return items[below(items.length)]!
    },
    shuffled: (items) => {
      const mixed = [...items]
      for (let last = mixed.length - 1; last > 0; last--) {
        const other = below(last + 1)
        const kept = mixed[last]!
        mixed[last] = mixed[other]!
        mixed[other] = kept
      }
      return mixed
    }
  }
}

/** Seed for one part of a task, so that parts do not depend on their order. FNV-1a of the name, mixed with the seed. */
export const seedOf = (seed: number, name: string): number => {
  let hash = (0x811c9dc5 ^ seed) >>> 0
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193) >>> 0
  return hash
}
