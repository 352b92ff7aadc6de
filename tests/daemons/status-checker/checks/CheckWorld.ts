/**
 * Simulates months of a checker: clocks, rounds, a database that is away or in doubt, killed processes. Beside the
 * result of Measurements it keeps the expected result, computed independently as intervals of time and their days.
 */
import { Measurements, type Batch, type StateRow } from "#daemons/status-checker/checks/Measurements.ts"
import { dayLength, type Share } from "#daemons/status-checker/checks/Days.ts"
import { type ComponentStatus, componentStatuses } from "#daemons/status-checker/status/Vocabulary.ts"

interface Piece {
  readonly from: number
  readonly length: number
  readonly status: ComponentStatus
}

interface Seen {
  readonly wall: number
  readonly status: ComponentStatus
}

/** One component, checked with limits of one: what is found is shown. */
export class World {
  readonly interval: number
  book: Measurements
  wall: number
  #monotonic = 12_345
  #real = 0
  /** What is written, what is not yet, and the last check of each. */
  readonly #written: Array<Piece> = []
  #unwritten: Array<Piece> = []
  #lastWritten: Seen | undefined
  #last: (Seen & { readonly monotonic: number | undefined }) | undefined
  /** Lives that began by the wall clock. */
  restarts = 0

  constructor(interval: number, wall: number) {
    this.interval = interval
    this.wall = wall
    this.book = this.#newBook()
  }

  pass(milliseconds: number): void {
    this.wall += milliseconds
    this.#monotonic += milliseconds
    this.#real += milliseconds
  }

  jump(milliseconds: number): void {
    this.wall += milliseconds
  }

  /** Time that really passed. */
  get real(): number {
    return this.#real
  }

  check(found: ComponentStatus | undefined): void {
    this.book.take([{ componentId: "web", at: { wall: this.wall, monotonic: this.#monotonic }, found, results: [] }])
    if (found === undefined) return
    const last = this.#last
    if (last !== undefined) {
      const passed = last.monotonic === undefined ? this.wall - last.wall : this.#monotonic - last.monotonic
      const length = Math.max(0, Math.min(passed, 1.5 * this.interval))
      this.#unwritten.push({ from: last.wall, length, status: last.status })
    }
    this.#last = { wall: this.wall, status: found, monotonic: this.#monotonic }
  }

  /** Everything that was taken up to now is written. */
  wrote(batch: Batch): void {
    this.book.written(batch)
    this.#written.push(...this.#unwritten)
    this.#unwritten = []
    this.#lastWritten = this.#last
  }

  /** Another life, that knows what was written, on a machine started anew. */
  restart(states: ReadonlyArray<StateRow>): void {
    this.restarts++
    this.#monotonic = 1_000
    this.#unwritten = []
    this.#last = this.#lastWritten === undefined ? undefined : { ...this.#lastWritten, monotonic: undefined }
    this.book = this.#newBook()
    this.book.begin(states)
  }

  /** What is true of a day that begins then. */
  truth(start: number): Share {
    const covered = (status: ComponentStatus) =>
      this.#written.reduce(
        (total, piece) =>
          piece.status === status
            ? total + Math.max(0, Math.min(piece.from + piece.length, start + dayLength) - Math.max(piece.from, start))
            : total,
        0
      )
    return Object.fromEntries(componentStatuses.map((status) => [status, covered(status)])) as unknown as Share
  }

  /** All that was written, whatever the day. */
  get total(): number {
    return this.#written.reduce((total, { length }) => total + length, 0)
  }

  #newBook(): Measurements {
    return new Measurements({ interval: this.interval, failuresBeforeDown: 1, successesBeforeUp: 1 })
  }
}
