/**
 * Results of phases as files in the folder of the training. A result is a data file and an index; the index is written
 * last, by a rename, and names the length of the data. A result without index, or with shorter data, does not count, so
 * a process that was killed leaves nothing that looks complete. Only synthetic speech is written here, no recordings.
 */
import { open, readFile, rename, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import type { Phase } from "../Phases.ts"

/** The result of an earlier phase is not in the folder: it was made on another machine, or was deleted. */
export class MissingResult extends Error {
  readonly phase: Phase
  constructor(phase: Phase) {
    super(`the result of ${phase} is missing`)
    this.phase = phase
  }
}

interface Index<Entry> {
  /** Length of the data file. Unit: bytes. */
  readonly bytes: number
  readonly entries: ReadonlyArray<Entry>
}

const paths = (folder: string, phase: Phase) => ({
  data: join(folder, `${phase}.bin`),
  index: join(folder, `${phase}.json`)
})

export interface ResultWriter<Entry> {
  /** Appends bytes with their entry. */
  readonly add: (entry: Entry, bytes: Uint8Array) => Promise<void>
}

/** Writes the result of a phase. Whatever `write` fails with, no half result stays. */
export const writeResult = async <Entry>(
  folder: string,
  phase: Phase,
  write: (writer: ResultWriter<Entry>) => Promise<void>
): Promise<void> => {
  const { data, index } = paths(folder, phase)
  await rm(index, { force: true })
  const entries: Array<Entry> = []
  let bytes = 0
  const file = await open(data, "w", 0o600)
  try {
    await write({
      add: async (entry, part) => {
        await file.writeFile(part)
        entries.push(entry)
        bytes += part.byteLength
      }
    })
    await file.datasync()
  } finally {
    await file.close()
  }
  await writeWhole(index, Buffer.from(JSON.stringify({ bytes, entries } satisfies Index<Entry>)))
}

/** Entries of a result. Throws `MissingResult`. */
export const readIndex = async <Entry>(folder: string, phase: Phase): Promise<ReadonlyArray<Entry>> => {
  const { data, index } = paths(folder, phase)
  const [text, facts] = await Promise.all([
    readFile(index, "utf8").catch(() => undefined),
    stat(data).catch(() => undefined)
  ])
  if (text === undefined || facts === undefined) throw new MissingResult(phase)
  const { bytes, entries } = JSON.parse(text) as Index<Entry>
  if (facts.size !== bytes) throw new MissingResult(phase)
  return entries
}

/** Reads parts of a result's data, one after the other. */
export const withData = async <A>(
  folder: string,
  phase: Phase,
  use: (read: (from: number, length: number) => Promise<Uint8Array>) => Promise<A>
): Promise<A> => {
  const file = await open(paths(folder, phase).data, "r")
  try {
    return await use(async (position, length) => {
      const buffer = new Uint8Array(length)
      const { bytesRead } = await file.read({ buffer, position, length })
      if (bytesRead < length) throw new MissingResult(phase)
      return buffer
    })
  } finally {
    await file.close()
  }
}

/** All data of a result. */
export const readData = (folder: string, phase: Phase): Promise<Uint8Array> =>
  readFile(paths(folder, phase).data).then(
    ({ buffer, byteLength, byteOffset }) => new Uint8Array(buffer, byteOffset, byteLength)
  )

/** Writes a small file so that it has either its old or its new content. */
export const writeWhole = async (path: string, bytes: Uint8Array): Promise<void> => {
  const part = `${path}.part`
  const file = await open(part, "w", 0o600)
  try {
    await file.writeFile(bytes)
    await file.datasync()
  } finally {
    await file.close()
  }
  await rename(part, path)
}
