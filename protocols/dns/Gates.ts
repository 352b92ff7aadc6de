/**
 * Holds questions back so that no server gets more than it should: so many in flight at one server and in all, so many a second, and none for
 * a while at a server that has not answered several in a row. Sends nothing itself.
 */

export interface GateLimits {
  /** Unit: questions in flight at one server. */
  readonly inFlight: number
  /** Unit: questions a second at one server, and as many at once after a rest; a finite number. */
  readonly rate: number
}

export interface Gate {
  readonly limits: GateLimits
  inFlight: number
  tokens: number
  /** Unit: milliseconds of performance.now(). */
  filledAt: number
  unanswered: number
  silentUntil: number
  readonly queue: Array<Waiting>
  timer: NodeJS.Timeout | undefined
}

interface Waiting {
  readonly start: (gate: Gate) => void
  readonly late: () => void
  readonly patient: boolean
  timer: NodeJS.Timeout | undefined
  done: boolean
}

/** Unit: questions. Reason: one lost three times over is common on bad lines, five in a row are not. */
const silentAfter = 5

/** How long a silent server is left alone. Unit: milliseconds. Reason: others wait for the places that questions to it would take. */
const silence = 30_000

/** Servers that are known at a time. Reason: a few hundred bytes each. */
const maxGates = 10_000

export class Gates {
  readonly #limits: (key: string) => GateLimits
  readonly #inAll: number
  readonly #gates = new Map<string, Gate>()
  readonly #blocked = new Set<Gate>()
  #inFlight = 0

  /** `inAll`: questions in flight at all servers together. */
  constructor(inAll: number, limits: (key: string) => GateLimits) {
    this.#inAll = inAll
    this.#limits = limits
  }

  /**
   * Calls `start` now or when there is room, or `late` when there is none until `until` (milliseconds of performance.now()), and at once when the
   * server is silent and nobody is `patient`. Each `start` wants one `leave`.
   */
  enter(key: string, until: number, patient: boolean, start: (gate: Gate) => void, late: () => void): void {
    const now = performance.now()
    const gate = this.#gate(key, now)
    if (!patient && gate.silentUntil > now) late()
    else if (gate.queue.length === 0 && this.#take(gate, now)) start(gate)
    else {
      const waiting: Waiting = { start, late, patient, timer: undefined, done: false }
      waiting.timer = setTimeout(() => end(waiting), Math.max(0, until - now))
      gate.queue.push(waiting)
      this.#pump(gate)
    }
  }

  leave(gate: Gate, answered: boolean): void {
    gate.inFlight--
    this.#inFlight--
    if (answered) {
      gate.unanswered = 0
      gate.silentUntil = 0
    } else if (++gate.unanswered >= silentAfter) {
      gate.silentUntil = performance.now() + silence
      // The next one after the silence decides.
      gate.unanswered = silentAfter - 1
      for (const waiting of gate.queue) if (!waiting.patient) end(waiting)
    }
    if (gate.queue.length > 0) this.#pump(gate)
    for (const other of this.#blocked) {
      if (this.#inFlight >= this.#inAll) break
      this.#blocked.delete(other)
      this.#pump(other)
    }
  }

  #gate(key: string, now: number): Gate {
    const known = this.#gates.get(key)
    if (known !== undefined) return known
    if (this.#gates.size >= maxGates) this.#forget(now)
    const limits = this.#limits(key)
    const gate: Gate = { limits, inFlight: 0, tokens: limits.rate, filledAt: now, unanswered: 0, silentUntil: 0, queue: [], timer: undefined }
    this.#gates.set(key, gate)
    return gate
  }

  /** Those that hold nothing back, in the order in which they came, until a tenth is free. */
  #forget(now: number): void {
    for (const [key, gate] of this.#gates) {
      if (this.#gates.size <= maxGates * 0.9) return
      if (gate.inFlight === 0 && gate.queue.length === 0 && gate.silentUntil <= now) this.#gates.delete(key)
    }
  }

  #take(gate: Gate, now: number): boolean {
    if (this.#inFlight >= this.#inAll) {
      this.#blocked.add(gate)
      return false
    }
    if (gate.inFlight >= gate.limits.inFlight) return false
    gate.tokens = Math.min(gate.limits.rate, gate.tokens + (now - gate.filledAt) * gate.limits.rate / 1000)
    gate.filledAt = now
    if (gate.tokens < 1) {
      gate.timer ??= setTimeout(() => {
        gate.timer = undefined
        this.#pump(gate)
      }, Math.ceil((1 - gate.tokens) * 1000 / gate.limits.rate))
      return false
    }
    gate.tokens--
    gate.inFlight++
    this.#inFlight++
    return true
  }

  #pump(gate: Gate): void {
    const now = performance.now()
    for (;;) {
      while (gate.queue[0]?.done === true) gate.queue.shift()
      const next = gate.queue[0]
      if (next === undefined || !this.#take(gate, now)) return
      gate.queue.shift()
      clearTimeout(next.timer)
      next.done = true
      next.start(gate)
    }
  }
}

const end = (waiting: Waiting): void => {
  if (waiting.done) return
  waiting.done = true
  clearTimeout(waiting.timer)
  waiting.late()
}
