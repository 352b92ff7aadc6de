/**
 * Holds questions back so that no server gets more than it should: so many in flight at one server and in all, so many
 * a second, and none for a while at a server that has not answered several in a row. Sends nothing itself.
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
  /** Who has not asked yet, and will when nobody is in the queue and there is room. */
  readonly later: Array<() => void>
  /** For the next question that the rate allows. */
  timer: NodeJS.Timeout | undefined
  /** Sees at `lateAt` who has waited too long. One for all: hardly anybody does. */
  lateTimer: NodeJS.Timeout | undefined
  lateAt: number
}

interface Waiting {
  readonly item: unknown
  readonly patient: boolean
  /** Unit: milliseconds of performance.now(). */
  readonly until: number
  done: boolean
}

/** Unit: questions. Reason: one lost three times over is common on bad lines, five in a row are not. */
const silentAfter = 5

/**
 * How long a silent server is left alone. Unit: milliseconds. Reason: others wait for the places that questions to it
 * would take.
 */
const silence = 30_000

/** Servers that are known at a time. Reason: a few hundred bytes each. */
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
   * `inAll`: questions in flight at all servers together. `start`: sends one, and calls `leave` when it has ended;
   * `now`: performance.now(). `late`: there was no room in time, or the server is silent.
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
   * Starts it now or when there is room, or calls it late at `until` (milliseconds of performance.now()); at once at a
   * silent server, but for who is patient.
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
   * Calls it when a question would not have to wait: now, or when nobody does any more. What asks many questions in
   * turn is so begun when it gets on, and until then nothing is held of it; whoever asks this server without comes
   * first.
   */
  whenRoom(key: string, begin: () => void): void {
    const now = performance.now()
    const gate = this.#gate(key, now)
    if (gate.silentUntil > now || (gate.queue.length === 0 && gate.later.length === 0 && this.#hasRoom(gate, now)))
      begin()
    else gate.later.push(begin)
  }

  /** Whoever waits is called late, or begins. */
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
      // The next one after the silence decides.
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

  /** Those that hold nothing back, in the order in which they came, until a tenth is free. */
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

  /** Where there is none, whoever waits is seen to when there is. */
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
