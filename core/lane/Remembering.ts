/**
 * A bounded memory for hot paths, in two generations: when the younger is full it becomes the older, whose entries are
 * forgotten but for those that are asked for again. A hit is one look into a map, a full memory costs nothing to make
 * room in (a map that loses its first key again and again has to step over all that went before), and what is in use
 * stays.
 */
export interface Memory<Key, Value> {
  readonly get: (key: Key) => Value | undefined
  readonly set: (key: Key, value: Value) => void
}

/** Holds at most `max` entries, and at least the last half of that. */
export const memory = <Key, Value>(max: number): Memory<Key, Value> => {
  const half = Math.max(1, Math.floor(max / 2))
  let young = new Map<Key, Value>()
  let old: ReadonlyMap<Key, Value> = new Map()
  const set = (key: Key, value: Value) => {
    if (young.size >= half) {
      old = young
      young = new Map()
    }
    young.set(key, value)
  }
  return {
    get: (key) => {
      const held = young.get(key)
      if (held !== undefined) return held
      const older = old.get(key)
      if (older !== undefined) set(key, older)
      return older
    },
    set
  }
}

/** A function of its argument alone, whose answers are remembered. */
export const remembering = <Argument, Answer>(
  max: number,
  compute: (argument: Argument) => Answer
): ((argument: Argument) => Answer) => {
  const answers = memory<Argument, Answer>(max)
  return (argument) => {
    const known = answers.get(argument)
    if (known !== undefined) return known
    const answer = compute(argument)
    answers.set(argument, answer)
    return answer
  }
}
