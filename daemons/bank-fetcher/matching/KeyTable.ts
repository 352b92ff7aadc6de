/**
 * Positions of keys in a list by their hash: an open hash table in one typed array. Reason: a look-up in a large Map of
 * texts makes a text first, and costs several times as much.
 */
import { codes, hashOf, hashOfKey } from "./TextScan.ts"

export interface KeyTable {
  /** Position of the key that the scanned text has from `start` to `end`; -1: none. */
  readonly find: (start: number, end: number) => number
}

/** Spreads the bits of a hash. Source: the finalizer of MurmurHash3. */
const spread = (hash: number): number => {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return mixed ^ (mixed >>> 13)
}

/** Makes the table of keys that are all different. */
export const make = (keys: ReadonlyArray<string>): KeyTable => {
  let size = 16
  while (size < keys.length * 2) size *= 2
  const mask = size - 1
  // Hash and position of each slot side by side, and all keys in one array: few lines of the processor's cache.
  const slots = new Int32Array(2 * size).fill(-1)
  const starts = new Int32Array(keys.length + 1)
  for (const [at, key] of keys.entries()) starts[at + 1] = starts[at]! + key.length
  const bytes = new Uint8Array(starts[keys.length]!)
  for (const [at, key] of keys.entries()) {
    for (let place = 0; place < key.length; place++) bytes[starts[at]! + place] = key.charCodeAt(place)
    const hash = hashOfKey(key)
    let slot = spread(hash) & mask
    while (slots[2 * slot + 1] !== -1) slot = (slot + 1) & mask
    slots[2 * slot] = hash
    slots[2 * slot + 1] = at
  }
  const isSame = (at: number, start: number, end: number): boolean => {
    const from = starts[at]!
    if (starts[at + 1]! - from !== end - start) return false
    for (let place = start; place < end; place++) if (codes[place] !== bytes[from + place - start]) return false
    return true
  }
  return {
    find: (start, end) => {
      const hash = hashOf(start, end)
      for (let slot = spread(hash) & mask; ; slot = (slot + 1) & mask) {
        const at = slots[2 * slot + 1]!
        if (at === -1) return -1
        if (slots[2 * slot] === hash && isSame(at, start, end)) return at
      }
    }
  }
}
