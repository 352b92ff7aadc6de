/**
 * Writes files into the directory `SIGNALBOX_NETWORK_DIR`, from which proxies and the firewall of this host read.
 * Each file is replaced atomically. Several processes may write into one directory: a file with the same state stays.
 * Never creates the directory, because the operator decides who may read it.
 */
import { Effect, Schema } from "effect"
import { randomBytes } from "node:crypto"
import { chmod, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { NetworkFile } from "./BanFiles.ts"

/** Mode of the files. Reason: proxies run as users of their own; the mode of the directory decides who may read. */
const mode = 0o644

/** Name of a file that is being written. */
const draftShape = /^\.[\w.]+\.[0-9a-f]{12}$/

/** Age at which a draft was left by a killed process. Unit: milliseconds. Reason: writing one takes milliseconds. */
const draftAge = 600_000

/** Longest first line of a file. Unit: bytes. */
const maxHeading = 200

/** A file cannot be written. The operator must correct the directory; the writer tries again. */
export class NetworkFilesError extends Schema.TaggedError<NetworkFilesError>()("NetworkFilesError", {
  detail: Schema.String
}) {
  override get message() {
    return this.detail
  }
}

/** Writes the files whose state has changed. Returns their names. */
export const write = (
  directory: string,
  files: ReadonlyArray<NetworkFile>
): Effect.Effect<ReadonlyArray<string>, NetworkFilesError> =>
  Effect.tryPromise({
    try: async () => {
      await sweep(directory)
      const written: Array<string> = []
      for (const file of files) {
        if ((await heading(join(directory, file.name))) === firstLine(file.text)) continue
        await replace(directory, file)
        written.push(file.name)
      }
      return written
    },
    catch: (error) => {
      const reason = (error as NodeJS.ErrnoException).code ?? String(error)
      return new NetworkFilesError({ detail: `SIGNALBOX_NETWORK_DIR (${directory}) cannot be written: ${reason}` })
    }
  })

const firstLine = (text: string): string => text.split("\n", 1)[0]!

/** First line of a file; undefined when there is no such file. */
const heading = async (path: string): Promise<string | undefined> => {
  try {
    const handle = await open(path, "r")
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxHeading), 0, maxHeading, 0)
      return firstLine(buffer.toString("utf8", 0, bytesRead))
    } finally {
      await handle.close()
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw error
  }
}

const replace = async (directory: string, { name, text }: NetworkFile): Promise<void> => {
  const draft = join(directory, `.${name}.${randomBytes(6).toString("hex")}`)
  try {
    await writeFile(draft, text, { flag: "wx" })
    await chmod(draft, mode)
    await rename(draft, join(directory, name))
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined)
    throw error
  }
}

const sweep = async (directory: string): Promise<void> => {
  for (const name of (await readdir(directory)).filter((one) => draftShape.test(one))) {
    const path = join(directory, name)
    const found = await stat(path).catch(() => undefined)
    if (found !== undefined && Date.now() - found.ctimeMs > draftAge) await rm(path, { force: true })
  }
}
