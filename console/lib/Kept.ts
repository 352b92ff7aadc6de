/** Promises that several callers share. Pure. */

/** The promise of this key; `ask` makes it. A rejected promise is not kept, so the next caller asks again. */
export const kept = <Key, A>(all: Map<Key, Promise<A>>, key: Key, ask: () => Promise<A>): Promise<A> => {
  const known = all.get(key)
  if (known !== undefined) return known
  const asked = ask()
  all.set(key, asked)
  asked.catch(() => {
    if (all.get(key) === asked) all.delete(key)
  })
  return asked
}
