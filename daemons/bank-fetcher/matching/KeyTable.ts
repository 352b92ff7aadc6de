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

/** A slot of the table: hash and position of a key, and where the key stands in the bytes of all keys. */
const width = 4
const hashIn = 0
const positionIn = 1
const startIn = 2
const lengthIn = 3

/** Makes the table of keys that are all different. */
export const make = (keys: ReadonlyArray<string>): KeyTable => {
  let size = 16
  while (size < keys.length * 2) size *= 2
  const mask = size - 1
  // What each slot needs stands side by side, and all keys in one array: few lines of the processor's cache.
  const slots = new Int32Array(width * size).fill(-1)
  const bytes = new Uint8Array(keys.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  for (const [at, key] of keys.entries()) {
    const hash = hashOfKey(key)
    let row = width * (spread(hash) & mask)
    while (slots[row + positionIn] !== -1) row = (row + width) % slots.length
    slots[row + hashIn] = hash
    slots[row + positionIn] = at
    slots[row + startIn] = end
    slots[row + lengthIn] = key.length
    for (let place = 0; place < key.length; place++) bytes[end++] = key.charCodeAt(place)
  }
  const isSame = (from: number, start: number, length: number): boolean => {
    for (let place = 0; place < length; place++) if (codes[start + place] !== bytes[from + place]) return false
    return true
  }
  return {
    find: (start, end) => {
      const hash = hashOf(start, end)
      const length = end - start
      for (let slot = spread(hash) & mask; ; slot = (slot + 1) & mask) {
        const row = width * slot
        const at = slots[row + positionIn]!
        if (at === -1) return -1
        if (
          slots[row + hashIn] === hash &&
          slots[row + lengthIn] === length &&
          isSame(slots[row + startIn]!, start, length)
        )
          return at
      }
    }
  }
}
