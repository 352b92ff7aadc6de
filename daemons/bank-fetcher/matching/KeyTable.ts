/**
 * Numbers by keys: an open hash table in one typed array. Reason: a look-up in a large Map of texts makes a text first,
 * and costs several times as much. A key with several numbers has the id of their list, and one with a single number
 * this number, because a list of its own would be two more reads of memory.
 */
import { codes, hashOf, hashOfKey } from "./TextScan.ts"

export interface KeyTable {
  /** Id of the key that the scanned text has from `start` to `end`; `noId`: none. */
  readonly find: (start: number, end: number) => number
}

export const noId = -1

type Lists = ReadonlyArray<ReadonlyArray<number>>

/** Ids of lists of numbers from 0: the only number, or a negative id for several. */
export const idsOf = (lists: Lists): Int32Array =>
  Int32Array.from(lists, (list, at) => (list.length === 1 ? list[0]! : -2 - at))

const nothing: ReadonlyArray<never> = []

/** The numbers of an id. */
export const numbersOf = (id: number, lists: Lists): ReadonlyArray<number> =>
  id >= 0 ? [id] : id === noId ? nothing : lists[-2 - id]!

/** Spreads the bits of a hash. Source: the finalizer of MurmurHash3. */
const spread = (hash: number): number => {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return mixed ^ (mixed >>> 13)
}

/** A slot of the table: hash and id of a key, and where the key stands in the bytes of all keys. */
const width = 4
const hashIn = 0
const idIn = 1
const startIn = 2
const lengthIn = 3

/** Makes the table of keys that are all different, with an id for each. */
export const make = (keys: ReadonlyArray<string>, ids: Int32Array): KeyTable => {
  let size = 16
  while (size < keys.length * 2) size *= 2
  const mask = size - 1
  // What each slot needs stands side by side, and all keys in one array: few lines of the processor's cache.
  const slots = new Int32Array(width * size).fill(noId)
  const bytes = new Uint8Array(keys.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  for (const [at, key] of keys.entries()) {
    const hash = hashOfKey(key)
    let row = width * (spread(hash) & mask)
    while (slots[row + idIn] !== noId) row = (row + width) % slots.length
    slots[row + hashIn] = hash
    slots[row + idIn] = ids[at]!
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
        const id = slots[row + idIn]!
        if (id === noId) return noId
        if (
          slots[row + hashIn] === hash &&
          slots[row + lengthIn] === length &&
          isSame(slots[row + startIn]!, start, length)
        )
          return id
      }
    }
  }
}
