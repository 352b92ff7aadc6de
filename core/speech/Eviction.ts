/** Decides which files of the speech cache to delete, given a listing of its folder. Pure. */

export interface Evictable {
  readonly name: string
  /** Unit: bytes. */
  readonly bytes: number
  /** Last use. Unit: epoch milliseconds. */
  readonly usedMs: number
}

/**
 * Share of the bound that remains after an eviction. Reason: each scan needs a stat per file, so an eviction makes room
 * for several new files.
 */
const roomLeft = 0.9

/**
 * The least recently used files to delete, so that less than `bound` bytes remain. Never includes `spare`. `left`:
 * remaining bytes.
 */
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
 * Age from which a partly written file counts as abandoned. Unit: milliseconds. Reason: writing a file takes well under
 * a minute.
 */
const leftoverAge = 10 * 60_000

/** Whether the name is that of a temporary file and, when `ageMs` is given, whether its writer must be dead. */
export const isLeftover = (name: string, ageMs = leftoverAge + 1): boolean =>
  ageMs > leftoverAge && /^\.[0-9a-f]{64}\.\w{3}\.[0-9a-f-]{36}\.tmp$/.test(name)
