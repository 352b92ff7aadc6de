/**
 * Reads one file in pieces into rows: the work of the thread. Pure but for the hash. camt is read as it comes; MT is
 * gathered, because its parser reads whole files.
 */
import { Result } from "effect"
import { BankFormatsError, failure, tooLarge } from "#protocols/bank-formats/BankFormatsError.ts"
import { type CamtEvent, camtParser } from "#protocols/bank-formats/Camt.ts"
import { detect } from "#protocols/bank-formats/Detect.ts"
import { maxMtFile } from "#protocols/bank-formats/MtFields.ts"
import { type MtStatement, parseMt } from "#protocols/bank-formats/Mt940.ts"
import type { Entry, Statement } from "#protocols/bank-formats/Statement.ts"
import { headOf, type StatementHead, StatementRows, type StatementSummary, type TransactionRow } from "./Rows.ts"

export type Part =
  | { readonly _tag: "Head"; readonly head: StatementHead }
  /** JSON of transactions of the statement whose head came last. */
  | { readonly _tag: "Rows"; readonly json: string }
  | { readonly _tag: "Summary"; readonly summary: StatementSummary }

export interface Answer {
  readonly parts: ReadonlyArray<Part>
  /** False: `more` returns further parts. */
  readonly done: boolean
  readonly error?: BankFormatsError
}

/** Maximum number of rows of one part. Reason: about 300 KB of JSON, one statement of Postgres. */
const maxRows = 500

/** Maximum number of statements of a file. Reason: a year of 200 accounts; their heads are in memory. */
export const maxStatements = 100_000

/** Bytes that are parsed at once. Reason: their entries die young, which saves a third of the time. */
const pieceLength = 65_536

/** Bytes in front that decide the format. Unit: bytes. */
const lookAt = 512

export class FileReading {
  #read: ((bytes: Uint8Array) => Result.Result<ReadonlyArray<CamtEvent>, BankFormatsError>) | undefined
  #close: (() => Result.Result<ReadonlyArray<CamtEvent>, BankFormatsError>) | undefined
  #first: Buffer = Buffer.alloc(0)
  #gathered: Array<Uint8Array> = []
  #size = 0
  #mt: Generator<Part> | undefined
  #parts: Array<Part> = []
  #rows: Array<TransactionRow> = []
  #statement: StatementRows | undefined
  #statements = 0
  #format: "Camt" | "Mt" | undefined

  /** Takes the next bytes of the file. */
  write(bytes: Uint8Array): Answer {
    return this.#answer(() => {
      if (this.#format === undefined) {
        this.#first = Buffer.concat([this.#first, bytes])
        if (this.#first.length < lookAt) return true
        this.#begin()
      } else this.#take(bytes)
      return true
    })
  }

  /** Ends the file. */
  end(): Answer {
    return this.#answer(() => {
      if (this.#format === undefined) this.#begin()
      if (this.#format === "Camt") {
        for (const event of unwrap(this.#close!())) this.#event(event)
        this.#finishStatement()
        if (this.#statements === 0) throw failure({ _tag: "Malformed", why: "there is no statement" })
        return true
      }
      this.#mt = this.#mtParts(unwrap(parseMt(Buffer.concat(this.#gathered))))
      return this.#moreMt()
    })
  }

  /** Next parts after an answer that was not done. */
  more(): Answer {
    return this.#answer(() => this.#moreMt())
  }

  #begin(): void {
    const format = unwrap(detect(this.#first))
    if (format === "Zip") throw failure({ _tag: "UnknownFormat" })
    this.#format = format
    if (format === "Camt") {
      const parser = camtParser()
      this.#read = parser.write
      this.#close = parser.close
    }
    this.#take(this.#first)
  }

  #take(bytes: Uint8Array): void {
    if (this.#read === undefined) {
      this.#size += bytes.length
      if (this.#size > maxMtFile) throw tooLarge("maxMtFile")
      this.#gathered.push(bytes)
    } else
      for (let from = 0; from < bytes.length; from += pieceLength)
        for (const event of unwrap(this.#read(bytes.subarray(from, from + pieceLength)))) this.#event(event)
  }

  #event(event: CamtEvent): void {
    if (event._tag === "Statement") this.#startStatement(event.statement)
    else this.#entry(event.entry)
  }

  #startStatement(statement: Statement): void {
    this.#finishStatement()
    if (++this.#statements > maxStatements) throw tooLarge("maxStatements")
    const head = headOf(statement)
    this.#statement = new StatementRows(head)
    this.#parts.push({ _tag: "Head", head })
  }

  #entry(entry: Entry): void {
    for (const row of this.#statement!.rows(entry)) {
      this.#rows.push(row)
      if (this.#rows.length >= maxRows) this.#flush()
    }
  }

  #finishStatement(): void {
    if (this.#statement === undefined) return
    this.#flush()
    this.#parts.push({ _tag: "Summary", summary: this.#statement.summary() })
    this.#statement = undefined
  }

  #flush(): void {
    if (this.#rows.length === 0) return
    this.#parts.push({ _tag: "Rows", json: JSON.stringify(this.#rows) })
    this.#rows = []
  }

  *#mtParts(statements: ReadonlyArray<MtStatement>): Generator<Part> {
    for (const { entries, statement } of statements) {
      this.#startStatement(statement)
      for (const entry of entries) {
        this.#entry(entry)
        yield* this.#parts.splice(0)
      }
      this.#finishStatement()
      yield* this.#parts.splice(0)
    }
  }

  #moreMt(): boolean {
    const parts: Array<Part> = []
    for (let count = 0; count < maxParts; count++) {
      const { done, value } = this.#mt!.next()
      if (done === true) {
        this.#parts = parts
        return true
      }
      parts.push(value)
    }
    this.#parts = parts
    return false
  }

  #answer(run: () => boolean): Answer {
    try {
      const done = run()
      const parts = this.#parts
      this.#parts = []
      return { parts, done }
    } catch (error) {
      // A defect ends the thread.
      if (error instanceof BankFormatsError) return { parts: [], done: true, error }
      throw error
    }
  }
}

/** Maximum number of parts of one answer. Reason: a few megabytes. */
const maxParts = 20

const unwrap = <A>(result: Result.Result<A, BankFormatsError>): A => {
  if (Result.isFailure(result)) throw result.failure
  return result.success
}
