/**
 * Audio of one stream on its way to its thread: bytes in memory that the process and the thread share. The process is
 * the only writer and the thread the only reader, so there are no locks. Reason: messages with audio, and one for each
 * batch of steps, took a fifth of the processor time, with the garbage that they left.
 */
import { stepSamples } from "#protocols/wake-word/Shape.ts"
import { maxWaitingSteps } from "#protocols/wake-word/StreamState.ts"

/** Bytes of a step. */
export const stepBytes = stepSamples * 2

/** Audio that fits. Unit: bytes; 2 s. */
export const capacity = maxWaitingSteps * stepBytes

/** Audio below which the thread tells that there is room. Unit: bytes; 0.64 s, so that the thread does not run dry. */
const low = 8 * stepBytes

/**
 * Numbers before the bytes, four bytes each. The positions run from 0 to twice the capacity, so that a full ring
 * differs from an empty one.
 */
const written = 0
const consumed = 1
/** Steps computed since the start. */
const computed = 2
/** 1: the thread does not look for audio until it is told of it. */
const asleep = 3
/** 1: the process waits for room. */
const wanting = 4
const numbers = 5

const headerBytes = 32
const range = 2 * capacity

export class AudioRing {
  readonly shared: SharedArrayBuffer
  readonly #numbers: Int32Array
  readonly #bytes: Uint8Array

  /** `shared`: memory of the ring of the other side. */
  constructor(shared = new SharedArrayBuffer(headerBytes + capacity)) {
    this.shared = shared
    this.#numbers = new Int32Array(shared, 0, numbers)
    this.#bytes = new Uint8Array(shared, headerBytes, capacity)
  }

  /** Steps computed since the start. */
  get computed(): number {
    return Atomics.load(this.#numbers, computed)
  }

  /** Process: appends bytes. Returns the number of bytes that fitted. */
  write(bytes: Uint8Array): number {
    const from = Atomics.load(this.#numbers, written)
    const taken = Math.min(capacity - this.#waiting(), bytes.length)
    const at = from % capacity
    const first = Math.min(taken, capacity - at)
    if (first > 0) this.#bytes.set(first === bytes.length ? bytes : bytes.subarray(0, first), at)
    if (taken > first) this.#bytes.set(bytes.subarray(first, taken), 0)
    Atomics.store(this.#numbers, written, (from + taken) % range)
    return taken
  }

  /** Process, after a step is complete: whether the thread must be told of it. */
  wakes(): boolean {
    return Atomics.exchange(this.#numbers, asleep, 0) === 1
  }

  /** Process: asks to be told of room. False: there is room now. */
  awaitRoom(): boolean {
    Atomics.store(this.#numbers, wanting, 1)
    return !this.givesRoom()
  }

  /** Thread: gives the waiting bytes to `take`, in one or two parts, until it takes fewer bytes than it was given. */
  read(take: (bytes: Uint8Array) => number): void {
    for (let waiting = this.#waiting(); waiting > 0; waiting = this.#waiting()) {
      const from = Atomics.load(this.#numbers, consumed)
      const at = from % capacity
      const part = this.#bytes.subarray(at, Math.min(capacity, at + waiting))
      const taken = take(part)
      Atomics.store(this.#numbers, consumed, (from + taken) % range)
      if (taken < part.length) return
    }
  }

  /** Thread: will look again when it is told. Audio that came before this call must be read afterwards. */
  sleep(): void {
    Atomics.store(this.#numbers, asleep, 1)
  }

  /** Thread, after it has read: whether the process must be told of room. */
  givesRoom(): boolean {
    if (Atomics.load(this.#numbers, wanting) === 0 || this.#waiting() > low) return false
    return Atomics.exchange(this.#numbers, wanting, 0) === 1
  }

  /** Thread: counts a computed step. */
  count(): void {
    Atomics.add(this.#numbers, computed, 1)
  }

  /** Unit: bytes. */
  #waiting(): number {
    return (Atomics.load(this.#numbers, written) - Atomics.load(this.#numbers, consumed) + range) % range
  }
}
