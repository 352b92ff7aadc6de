/**
 * Which files of the speech cache go, decided from a look at its folder. Pure.
 */

export interface Evictable {
  readonly name: string
  /** Unit: bytes. */
  readonly bytes: number
  /** Last use. Unit: epoch milliseconds. */
  readonly usedMs: number
}

/**
 * Share of the bound that is left when the bound is exceeded. Reason: each look costs a stat a file, so it makes room
 * for more than one.
 */
const roomLeft = 0.9

/** The least recently used files that must go to get below `bound` bytes, never `spare`; `left`: bytes that stay. */
export const toEvict = (
  files: ReadonlyArray<Evictable>,
  bound: number,
  spare: string | undefined
): { readonly names: ReadonlyArray<string>; readonly left: number } => {
  let left = files.reduce((sum, { bytes }) => sum + bytes, 0)
  const names: Array<string> = []
  if (left <= bound) return { names, left }
  for (const { bytes, name } of files.toSorted((a, b) => a.usedMs - b.usedMs)) {
    if (left <= bound * roomLeft) break
    if (name === spare) continue
    names.push(name)
    left -= bytes
  }
  return { names, left }
}

/**
 * After this a half-written file is nobody's any more. Unit: milliseconds. Reason: writing one takes well under a
 * minute.
 */
const leftoverAge = 10 * 60_000

/** Whether the name, with an age whether the file, is one that a dead process was writing. */
export const isLeftover = (name: string, ageMs = leftoverAge + 1): boolean =>
  ageMs > leftoverAge && /^\.[0-9a-f]{64}\.\w{3}\.[0-9a-f-]{36}\.tmp$/.test(name)
