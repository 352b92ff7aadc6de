/**
 * UDP sockets with unpredictable ports. Several sockets are open at a time, each query uses one at random, and sockets
 * are replaced regularly. Knows nothing of DNS except ids. Source: RFC 5452 §9.2.
 */
import { randomFillSync } from "node:crypto"
import { createSocket, type RemoteInfo, type Socket } from "node:dgram"

/**
 * Open sockets per address family. Reason: an attacker has to guess four times as many ports; with more sockets most
 * answers would cost one system call more.
 */
const socketsAtATime = 4

/**
 * Maximum number of queries per socket. Reason: an attacker who learned a port cannot use it for long; opening a socket
 * costs 0.1 ms.
 */
const questionsOfSocket = 4096

/** Maximum age of a socket. Unit: milliseconds. Reason: replaces the port also when there are few queries. */
const ageOfSocket = 60_000

/**
 * Receive buffer of a socket. Unit: bytes. Reason: a burst of 128 answers of 1232 bytes plus the kernel's overhead; the
 * kernel may grant less.
 */
const receiveBuffer = 1 << 20

/** A query that waits for an answer. `take` sets its socket and its id. */
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

  /** Chooses a random socket for the query and an id that is unique on the socket. `now`: performance.now(). */
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

  /** Removes the query. False when it was not waiting. */
  release(pending: Pending): boolean {
    const slot = pending.slot
    if (slot === undefined) return false
    pending.slot = undefined
    slot.pending.delete(pending.id)
    if (slot.retired && slot.pending.size === 0) this.#close(slot)
    return true
  }

  /** All waiting queries of all sockets. */
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
    // Targets are always addresses, so no lookup is needed.
    const socket = createSocket({
      type: family === 4 ? "udp4" : "udp6",
      recvBufferSize: receiveBuffer,
      lookup: (host, _options, done) => done(null, host, family)
    })
    const slot: UdpSlot<Pending> = { socket, pending: new Map(), until: now + ageOfSocket, taken: 0, retired: false }
    socket.on("message", (message, from) => this.#onMessage(slot, message, from))
    // Errors of a send are reported to the callback of the send.
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

/** Random 16-bit number from the system's random source, which fills a buffer in advance. */
const random16 = (): number => {
  if (used >= pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const drawn = pool.readUInt16LE(used)
  used += 2
  return drawn
}
