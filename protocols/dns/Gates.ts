/**
 * Limits queries to DNS servers: queries in flight per server and in total, and queries per second and server. It also
 * pauses queries to a server that failed to answer several in a row. Sends nothing itself.
 */

export interface GateLimits {
  /** Maximum number of queries in flight at one server. */
  readonly inFlight: number
  /** Queries per second at one server, and the size of a burst after a pause. Must be finite. */
  readonly rate: number
}

export interface Gate {
  readonly limits: GateLimits
  inFlight: number
  tokens: number
  /** Time of the last refill of `tokens`. Unit: milliseconds of performance.now(). */
  filledAt: number
  unanswered: number
  silentUntil: number
  readonly queue: Array<Waiting>
  /** Callbacks of whenRoom, called when the queue is empty and the server has capacity. */
  readonly later: Array<() => void>
  /** Fires when the rate allows the next query. */
  timer: NodeJS.Timeout | undefined
  /**
   * Fires at `lateAt` and ends queries that waited too long. One timer for the whole queue, because few queries time
   * out there.
   */
  lateTimer: NodeJS.Timeout | undefined
  lateAt: number
}

interface Waiting {
  readonly item: unknown
  readonly patient: boolean
  /** Deadline. Unit: milliseconds of performance.now(). */
  readonly until: number
  done: boolean
}

/**
 * Unanswered queries in a row after which a server counts as silent. Reason: on bad networks one query often loses all
 * three tries, but five queries in a row do not.
 */
const silentAfter = 5

/**
 * Pause after a server became silent. Unit: milliseconds. Reason: queries to it would take capacity from other servers.
 */
const silence = 30_000

/** Maximum number of servers in memory. Reason: each takes a few hundred bytes. */
const maxGates = 10_000

export class Gates<Item> {
  readonly #limits: (key: string) => GateLimits
  readonly #inAll: number
  readonly #start: (item: Item, gate: Gate, now: number) => void
  readonly #late: (item: Item) => void
  readonly #gates = new Map<string, Gate>()
  readonly #blocked = new Set<Gate>()
  #inFlight = 0

  /**
   * `inAll`: maximum number of queries in flight at all servers. `start`: sends a query and calls `leave` when it has
   * ended; its `now` is performance.now(). `late`: the deadline passed before there was capacity, or the server is
   * silent.
   */
  constructor(
    inAll: number,
    limits: (key: string) => GateLimits,
    start: (item: Item, gate: Gate, now: number) => void,
    late: (item: Item) => void
  ) {
    this.#inAll = inAll
    this.#limits = limits
    this.#start = start
    this.#late = late
  }

  /**
   * Starts the query now or when there is capacity. Calls `late` at `until` (milliseconds of performance.now()). For a
   * silent server it calls `late` at once, unless the query is patient.
   */
  enter(key: string, until: number, patient: boolean, item: Item): void {
    const now = performance.now()
    const gate = this.#gate(key, now)
    if (!patient && gate.silentUntil > now) this.#late(item)
    else if (gate.queue.length === 0 && this.#take(gate, now)) this.#start(item, gate, now)
    else {
      gate.queue.push({ item, patient, until, done: false })
      this.#watch(gate, until, now)
      this.#pump(gate)
    }
  }

  /**
   * Calls `begin` as soon as a query to this server would be sent at once. Callers with many queries use it to prepare
   * each query only when it can be sent. Queued queries have priority.
   */
  whenRoom(key: string, begin: () => void): void {
    const now = performance.now()
    const gate = this.#gate(key, now)
    if (gate.silentUntil > now || (gate.queue.length === 0 && gate.later.length === 0 && this.#hasRoom(gate, now)))
      begin()
    else gate.later.push(begin)
  }

  /** Ends all queued queries as late, and calls all waiting callbacks. */
  close(): void {
    for (const gate of this.#gates.values()) {
      clearTimeout(gate.timer)
      clearTimeout(gate.lateTimer)
      for (const waiting of gate.queue) this.#end(waiting)
      for (const begin of gate.later.splice(0)) begin()
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
      // After the pause, one more unanswered query is enough to make the server silent again.
      gate.unanswered = silentAfter - 1
      for (const waiting of gate.queue) if (!waiting.patient) this.#end(waiting)
    }
    if (gate.queue.length > 0 || gate.later.length > 0) this.#pump(gate)
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
    const gate: Gate = {
      limits,
      inFlight: 0,
      tokens: limits.rate,
      filledAt: now,
      unanswered: 0,
      silentUntil: 0,
      queue: [],
      later: [],
      timer: undefined,
      lateTimer: undefined,
      lateAt: 0
    }
    this.#gates.set(key, gate)
    return gate
  }

  /** Forgets idle servers, oldest first, until a tenth of the room is free. */
  #forget(now: number): void {
    for (const [key, gate] of this.#gates) {
      if (this.#gates.size <= maxGates * 0.9) return
      if (gate.inFlight === 0 && gate.queue.length === 0 && gate.later.length === 0 && gate.silentUntil <= now)
        this.#gates.delete(key)
    }
  }

  #take(gate: Gate, now: number): boolean {
    if (!this.#hasRoom(gate, now)) return false
    gate.tokens--
    gate.inFlight++
    this.#inFlight++
    return true
  }

  /** When there is no capacity, it arranges that the queue is served as soon as there is some. */
  #hasRoom(gate: Gate, now: number): boolean {
    if (this.#inFlight >= this.#inAll) {
      this.#blocked.add(gate)
      return false
    }
    if (gate.inFlight >= gate.limits.inFlight) return false
    gate.tokens = Math.min(gate.limits.rate, gate.tokens + ((now - gate.filledAt) * gate.limits.rate) / 1000)
    gate.filledAt = now
    if (gate.tokens < 1) {
      gate.timer ??= setTimeout(
        () => {
          gate.timer = undefined
          this.#pump(gate)
        },
        Math.ceil(((1 - gate.tokens) * 1000) / gate.limits.rate)
      )
      return false
    }
    return true
  }

  #pump(gate: Gate): void {
    const now = performance.now()
    for (;;) {
      while (gate.queue[0]?.done === true) gate.queue.shift()
      const next = gate.queue[0]
      if (next === undefined) break
      if (!this.#take(gate, now)) return
      gate.queue.shift()
      next.done = true
      this.#start(next.item as Item, gate, now)
    }
    while (gate.later.length > 0 && gate.queue.length === 0 && this.#hasRoom(gate, now)) gate.later.shift()!()
  }

  #watch(gate: Gate, until: number, now: number): void {
    if (gate.lateTimer !== undefined && gate.lateAt <= until) return
    clearTimeout(gate.lateTimer)
    gate.lateAt = until
    gate.lateTimer = setTimeout(() => this.#callLate(gate), Math.max(0, until - now)).unref()
  }

  #callLate(gate: Gate): void {
    gate.lateTimer = undefined
    const now = performance.now()
    let next = Infinity
    for (const waiting of gate.queue) {
      if (waiting.until <= now) this.#end(waiting)
      else if (!waiting.done) next = Math.min(next, waiting.until)
    }
    if (next < Infinity) this.#watch(gate, next, now)
  }

  #end(waiting: Waiting): void {
    if (waiting.done) return
    waiting.done = true
    this.#late(waiting.item as Item)
  }
}
