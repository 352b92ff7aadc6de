/**
 * The switch's own time, which runs `1 / scale` times as fast as ours. What falls due runs in order of its due time,
 * and while it runs `now` is that time exactly: what the double says does not depend on how busy the machine is.
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

  /** Epoch milliseconds of the switch. */
  get now(): number {
    return this.#now
  }

  /**
   * Brings `now` up to the present, running what fell due on the way. Call it before anything comes in from outside.
   */
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

  /** Runs it so long after `now`; the answer cancels. */
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
