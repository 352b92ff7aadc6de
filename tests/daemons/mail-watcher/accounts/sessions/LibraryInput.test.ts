/** Input of the IMAP library: its responses, the limits, and ESEARCH. */
import fc from "fast-check"
import { ImapStream } from "imapflow/lib/handler/imap-stream.js"
import { describe, expect, it } from "vitest"
import { AnswerCount, maxFolderAnswers } from "#daemons/mail-watcher/accounts/sessions/AnswerLimits.ts"
import { LibraryInput } from "#daemons/mail-watcher/accounts/sessions/LibraryInput.ts"

/** Records the beginning of each response. */
class Recorded extends AnswerCount {
  readonly heads: Array<string> = []

  override addAnswer(head: string, bytes: number): void {
    super.addAnswer(head, bytes)
    this.heads.push(head)
  }
}

const read = (chunks: ReadonlyArray<Buffer>) => {
  const count = new Recorded()
  const input = new LibraryInput(count)
  const taken = chunks.map((chunk) => input.take(chunk))
  return {
    text: taken.some((one) => one === undefined) ? undefined : Buffer.concat(taken as Array<Buffer>).toString("latin1"),
    heads: count.heads,
    amid: input.amid
  }
}

const split = (bytes: Buffer, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size))

/** Beginnings of the responses that imapflow reads from these bytes. */
const ofLibrary = async (bytes: Buffer): Promise<ReadonlyArray<string>> => {
  const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} }
  const stream = new ImapStream({ cid: "1", logger: silent as never })
  const heads: Array<string> = []
  stream.on("error", () => {})
  stream.on("data", ({ next, payload }: { readonly next: () => void; readonly payload: Buffer }) => {
    heads.push(payload.toString("latin1", 0, 10))
    next()
  })
  await new Promise<void>((resolve) => {
    stream.on("close", resolve)
    stream.end(bytes)
  })
  return heads
}

const folders = (heads: ReadonlyArray<string>) => heads.filter((head) => head.startsWith("* LIST ")).length

const pieces = [
  "* LIST ",
  "* 1 FETCH ",
  "x",
  "{",
  "0",
  "2",
  "17",
  "}",
  "\r\n",
  "\n",
  "\r",
  "{3}\r\n",
  "{0}\r\n",
  "{12}\n"
]

describe("input of the IMAP library", () => {
  it("counts every response that the library reads, for any chunks", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...pieces), { maxLength: 60 }),
        fc.integer({ min: 1, max: 30 }),
        async (parts, size) => {
          const bytes = Buffer.from(parts.join(""))
          const { heads, text } = read(split(bytes, size))
          const library = await ofLibrary(bytes)
          expect(text).toBe(bytes.toString())
          expect(heads.filter((head) => !/^\r?\n$/.test(head))).toHaveLength(library.length)
          expect(folders(heads)).toBe(folders(library))
        }
      ),
      { numRuns: 500 }
    )
  })

  it("inserts the space in ESEARCH responses only, for any chunks", () => {
    const literal = "\r\n* ESEARCH (1:3)\r\n"
    const rest = `* 1 FETCH (UID 3 BODY[] {${literal.length}}\r\n${literal} UID 3)\r\n`
    const said = `${rest}* ESEARCH (TAG "8") UID PARTIAL (1:3 1:3) COUNT 3\r\n${rest}`
    const mended = said.replace("1:3 1:3)", "1:3 1:3 )")
    for (let size = 1; size <= said.length; size++) expect(read(split(Buffer.from(said), size)).text).toBe(mended)
  })

  it("ends at too many folders, until the next chunk of the next work", () => {
    const input = new LibraryInput()
    const folder = Buffer.from('* LIST () "/" "a"\r\n')
    for (let work = 0; work < 2; work++) {
      for (let at = 0; at < maxFolderAnswers; at++) if (input.take(folder) === undefined) expect.fail(`folder ${at}`)
      if (work === 0) input.begin()
    }
    expect(input.take(folder)).toBeUndefined()
    input.begin()
    expect(input.take(Buffer.from("* OK\r\n"))).toBeUndefined()
  })

  it("ends at a number of a literal that hides its size", () => {
    const { text } = read(split(Buffer.from(`* 1 FETCH {${"0".repeat(50)}3}\r\nabc)\r\n`), 7))
    expect(text).toBeUndefined()
    expect(read([Buffer.from(`* 1 FETCH {${"0".repeat(25)}3}\r\nabc)\r\n`)])).toMatchObject({ amid: false })
    // Only a number that fills the whole tail can hide its beginning.
    expect(read([Buffer.from("17}\n")])).toMatchObject({ text: "17}\n", heads: ["17}\n"] })
  })

  it("knows whether a response is complete", () => {
    expect(read([Buffer.from("* 3 EXI")]).amid).toBe(true)
    expect(read([Buffer.from("* 3 FETCH {3}\r\n")]).amid).toBe(true)
    expect(read([Buffer.from("* 3 FETCH {3}\r\n"), Buffer.from("abc)\r\n")]).amid).toBe(false)
  })
})
