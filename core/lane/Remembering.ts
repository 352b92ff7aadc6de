/**
 * A bounded cache for hot paths, in two generations. When the young generation is full it becomes the old one, and
 * entries of the old one survive only if they are read again. A hit is one map look-up, and eviction costs nothing;
 * deleting the first key of a map again and again would get slower each time.
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

/** Caches the results of a function of one argument. */
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
