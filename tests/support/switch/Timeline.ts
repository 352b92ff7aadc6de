/**
 * Clock of the switch, which runs `1 / scale` times as fast as real time. Timers run in the order of their due times,
 * and `now` is exactly the due time while a timer runs. The double's output therefore does not depend on the machine's
 * load.
 */
export class Timeline {
  readonly #scale: number
  readonly #origin = Date.now()
  #due: Array<{ readonly at: number; readonly run: () => void }> = []
  #now = this.#origin
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(scale: number) {
    this.#scale = scale
  }

  /** Time of the switch. Unit: epoch milliseconds. */
  get now(): number {
    return this.#now
  }

  /** Advances `now` to the present and runs due timers. Call it before handling outside input. */
  catchUp(): void {
    const present = this.#origin + (Date.now() - this.#origin) / this.#scale
    for (;;) {
      const next = this.#due[0]
      if (next === undefined || next.at > present) break
      this.#due.shift()
      this.#now = Math.max(this.#now, next.at)
      next.run()
    }
    this.#now = Math.max(this.#now, present)
    this.#arm()
  }

  /** Runs a function after this time. The returned function cancels it. */
  after(milliseconds: number, run: () => void): () => void {
    const entry = { at: this.#now + milliseconds, run }
    const index = this.#due.findIndex(({ at }) => at > entry.at)
    this.#due.splice(index === -1 ? this.#due.length : index, 0, entry)
    this.#arm()
    return () => {
      this.#due = this.#due.filter((other) => other !== entry)
    }
  }

  clear(): void {
    clearTimeout(this.#timer)
    this.#due = []
  }

  #arm(): void {
    clearTimeout(this.#timer)
    const next = this.#due[0]
    if (next === undefined) return
    const wait = (next.at - this.#origin) * this.#scale - (Date.now() - this.#origin)
    this.#timer = setTimeout(() => this.catchUp(), Math.max(0, wait))
  }
}
