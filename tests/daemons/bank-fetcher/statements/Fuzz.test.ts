/**
 * Damaged files: a parser returns the whole content or its typed error, and never throws. SIGNALBOX_TEST_LONG=1 tries
 * 100,000 files for each parser; SIGNALBOX_TEST_SEED repeats the choices of a run.
 */
import { Effect, Exit, Result } from "effect"
import { describe, expect, it } from "vitest"
import { type Answer, FileReading } from "#daemons/bank-fetcher/statements/reading/FileReading.ts"
import { BankFormatsError } from "#protocols/bank-formats/BankFormatsError.ts"
import { type CamtEvent, camtParser, parseCamt } from "#protocols/bank-formats/Camt.ts"
import { parseMt } from "#protocols/bank-formats/Mt940.ts"
import { unzip } from "#protocols/bank-formats/Zip.ts"
import { mutated } from "#support/bank/Mutations.ts"
import { camt052, camt053, mt940 } from "#support/bank/StatementFiles.ts"
import { zip } from "#support/bank/ZipFile.ts"
import * as Random from "#support/Random.ts"

const long = process.env["SIGNALBOX_TEST_LONG"] === "1"
const count = long ? 100_000 : 400
const timeout = long ? 3_600_000 : 60_000
const random = Random.make()

const bookings = [
  { amount: "250.50", text: "Rechnung RE-2026-0042", endToEndId: "E-1", reference: "B-1", name: "Müller & Söhne" },
  { amount: "-12.00", text: "Gebühr", iban: "DE02120300000000202051", status: "PDNG" as const }
]
const day = { day: "2026-01-06", number: 7, opening: "100.00", bookings }
const other = { ...day, day: "2026-01-07", number: 8 }

const camts = [camt053(day, other), camt052(day), camt053({ day: "2026-01-06", currency: "JPY" })].map((text) =>
  Buffer.from(text)
)
const mt942 = mt940(day)
  .replace(/:60F:.*\r\n/, ":34F:EURD0,\r\n:13D:2601061200+0100\r\n")
  .replace(/:62F:.*\r\n/, ":90C:1EUR250,50\r\n")
const mts = [mt940(day) + mt940(other), mt942].map((text) => Buffer.from(text, "latin1"))
const zips = [zip({ name: "a.xml", content: camts[0]! }, { name: "b", content: mts[0]! })]

/** Calls `check` for each damaged file; a failure names the seed and the number of the file. */
const fuzzed = async (files: ReadonlyArray<Buffer>, check: (file: Buffer) => void | Promise<void>) => {
  for (let at = 0; at < count; at++) {
    const file = mutated(files[at % files.length]!, random)
    try {
      const checked = check(file)
      if (checked !== undefined) await checked
    } catch (error) {
      throw new Error(`seed ${random.seed}, file ${at}: ${String(error)}\n${file.toString("latin1").slice(0, 2_000)}`, {
        cause: error
      })
    }
  }
}

/** Events of a file that comes in pieces of any length. */
const inPieces = (file: Buffer): Result.Result<ReadonlyArray<CamtEvent>, BankFormatsError> =>
  Result.gen(function* () {
    const parser = camtParser()
    const events: Array<CamtEvent> = []
    for (let from = 0, to; from < file.length; from = to) {
      to = from + 1 + Math.floor(random.next() * 700)
      events.push(...(yield* parser.write(file.subarray(from, to))))
    }
    return [...events, ...(yield* parser.close())]
  })

/** Which of several faults is found first depends on the pieces. */
const outcome = <A>(result: Result.Result<A, BankFormatsError>) =>
  Result.isSuccess(result) ? result.success : "refused"

/** Everything that a file becomes, or its error. */
const read = (
  file: Buffer
): { readonly answers: ReadonlyArray<Answer>; readonly error: BankFormatsError | undefined } => {
  const reading = new FileReading()
  const answers: Array<Answer> = [reading.write(file.subarray(0, 600)), reading.write(file.subarray(600))]
  if (answers.every(({ error }) => error === undefined)) {
    answers.push(reading.end())
    while (!answers.at(-1)!.done) answers.push(reading.more())
  }
  return { answers, error: answers.find(({ error }) => error !== undefined)?.error }
}

describe("damaged files", () => {
  it("of camt are read as a whole or refused, in pieces of any length alike", { timeout }, async () => {
    let refused = 0
    await fuzzed(camts, (file) => {
      const whole = parseCamt(file)
      if (Result.isFailure(whole)) refused++
      expect(outcome(inPieces(file))).toEqual(outcome(whole))
    })
    expect(refused).toBeGreaterThan(count / 4)
    expect(refused).toBeLessThan(count)
  })

  it("of MT940 and MT942 are read as a whole or refused", { timeout }, async () => {
    let refused = 0
    await fuzzed(mts, (file) => {
      if (Result.isFailure(parseMt(file))) refused++
    })
    expect(refused).toBeGreaterThan(count / 10)
    expect(refused).toBeLessThan(count)
  })

  it("of ZIP are opened as a whole or refused", { timeout }, async () => {
    await fuzzed(zips, async (file) => {
      const exit = await Effect.runPromiseExit(unzip(file))
      expect(Exit.isSuccess(exit) || !Exit.hasDies(exit)).toBe(true)
    })
  })

  it("of any kind become rows of whole statements, or one error", { timeout }, async () => {
    await fuzzed([...camts, ...mts, ...zips], (file) => {
      const { answers, error } = read(file)
      if (error !== undefined) {
        expect(error).toBeInstanceOf(BankFormatsError)
        expect(answers.at(-1)!.parts).toEqual([])
        return
      }
      const parts = answers.flatMap((answer) => answer.parts)
      let rows = 0
      let isOpen = false
      for (const part of parts) {
        if (part._tag === "Head") {
          expect(isOpen).toBe(false)
          isOpen = true
          rows = 0
        } else if (part._tag === "Rows") {
          const found = JSON.parse(part.json) as ReadonlyArray<{ readonly amount: number; readonly text: string }>
          rows += found.length
          expect(found.every(({ amount, text }) => Number.isSafeInteger(amount) && !text.includes("\0"))).toBe(true)
        } else {
          expect([isOpen, part.summary.transactions]).toEqual([true, rows])
          isOpen = false
        }
      }
      expect([isOpen, parts.length > 0]).toEqual([false, true])
    })
  })
})
