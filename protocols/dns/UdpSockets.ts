/**
 * UDP sockets with ports that nobody can guess: several at a time, of which each question takes one at random, and
 * which are made anew now and then. Knows nothing of DNS but ids. Source: RFC 5452 §9.2.
 */
import { randomFillSync } from "node:crypto"
import { createSocket, type RemoteInfo, type Socket } from "node:dgram"

/**
 * Sockets of one family at a time. Reason: four times as many ports to guess; each more costs a system call for most
 * answers.
 */
const socketsAtATime = 4

/**
 * Unit: questions of one socket. Reason: what an attacker learns of a port is worth little; making a socket costs 0.1
 * ms.
 */
const questionsOfSocket = 4096

/** Unit: milliseconds. Reason: as above, where little is asked. */
const ageOfSocket = 60_000

/**
 * Room for answers that wait to be read. Unit: bytes. Reason: a burst of 128 answers of 1232 bytes with what the kernel
 * adds; it may give less.
 */
const receiveBuffer = 1 << 20

/** What waits for an answer, and where: set when it is taken in. */
export interface Placed<Pending> {
  slot: UdpSlot<Pending> | undefined
  id: number
}

export interface UdpSlot<Pending> {
  readonly socket: Socket
  readonly pending: Map<number, Pending>
  readonly until: number
  taken: number
  retired: boolean
}

export class UdpSockets<Pending extends Placed<Pending>> {
  readonly #onMessage: (slot: UdpSlot<Pending>, message: Buffer, from: RemoteInfo) => void
  readonly #slots: Record<4 | 6, Array<UdpSlot<Pending>>> = { 4: [], 6: [] }
  readonly #retired = new Set<UdpSlot<Pending>>()

  constructor(onMessage: (slot: UdpSlot<Pending>, message: Buffer, from: RemoteInfo) => void) {
    this.#onMessage = onMessage
  }

  /** Gives it an id of its own at one of the sockets. `now`: performance.now(). */
  take(family: 4 | 6, now: number, pending: Pending): UdpSlot<Pending> {
    const slots = this.#slots[family]
    const at = random16() % socketsAtATime
    let slot = slots[at]
    if (slot === undefined || slot.taken >= questionsOfSocket || slot.until < now) {
      if (slot !== undefined) this.#retire(slot)
      slot = this.#make(family, now)
      slots[at] = slot
    }
    slot.taken++
    let id = random16()
    while (slot.pending.has(id)) id = random16()
    pending.slot = slot
    pending.id = id
    slot.pending.set(id, pending)
    return slot
  }

  /** False: it waits for nothing here. */
  release(pending: Pending): boolean {
    const slot = pending.slot
    if (slot === undefined) return false
    pending.slot = undefined
    slot.pending.delete(pending.id)
    if (slot.retired && slot.pending.size === 0) this.#close(slot)
    return true
  }

  /** Every pending one of every socket. */
  all(): ReadonlyArray<Pending> {
    return [...this.#slots[4], ...this.#slots[6], ...this.#retired].flatMap((slot) =>
      slot === undefined ? [] : [...slot.pending.values()]
    )
  }

  close(): void {
    for (const slot of [...this.#slots[4], ...this.#slots[6], ...this.#retired])
      if (slot !== undefined) this.#close(slot)
    this.#slots[4] = []
    this.#slots[6] = []
  }

  #make(family: 4 | 6, now: number): UdpSlot<Pending> {
    // Addresses only are sent to, so there is nothing to look up.
    const socket = createSocket({
      type: family === 4 ? "udp4" : "udp6",
      recvBufferSize: receiveBuffer,
      lookup: (host, _options, done) => done(null, host, family)
    })
    const slot: UdpSlot<Pending> = { socket, pending: new Map(), until: now + ageOfSocket, taken: 0, retired: false }
    socket.on("message", (message, from) => this.#onMessage(slot, message, from))
    // What cannot be sent is told to whoever sends it.
    socket.on("error", () => {})
    socket.unref()
    return slot
  }

  #retire(slot: UdpSlot<Pending>): void {
    slot.retired = true
    if (slot.pending.size === 0) this.#close(slot)
    else this.#retired.add(slot)
  }

  #close(slot: UdpSlot<Pending>): void {
    this.#retired.delete(slot)
    slot.retired = false
    slot.pending.clear()
    slot.socket.close()
  }
}

const pool = Buffer.allocUnsafe(4096)
let used = pool.length

/** From the system's source of randomness, drawn in advance. */
const random16 = (): number => {
  if (used >= pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const drawn = pool.readUInt16LE(used)
  used += 2
  return drawn
}
