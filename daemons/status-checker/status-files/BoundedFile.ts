/**
 * Reads one file of limited size that other programs write. Editors and Kubernetes may replace the file at any time.
 */
import { constants, type FileHandle, open, stat } from "node:fs/promises"

/** Identifies the version of a file without reading it. */
export type Fingerprint = string

export type Reading =
  /** `modified`: milliseconds since 1970, by the file system's clock. */
  | { readonly _tag: "Read"; readonly bytes: Uint8Array; readonly modified: number; readonly fingerprint: Fingerprint }
  /** The file changed during the read. */
  | { readonly _tag: "Moving" }
  /** `problem` continues "the file …". */
  | { readonly _tag: "Refused"; readonly problem: string; readonly fingerprint: Fingerprint }

/** Fingerprint of the file, links followed; undefined when it is missing or not accessible. */
export const fingerprint = async (path: string): Promise<Fingerprint | undefined> => {
  try {
    return of(await stat(path, { bigint: true }))
  } catch {
    return undefined
  }
}

/** Reads at most `maximum` bytes; never throws. */
export const read = async (path: string, maximum: number): Promise<Reading> => {
  let handle: FileHandle | undefined
  try {
    // Without O_NONBLOCK, opening a named pipe blocks a thread until a writer opens it.
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const before = await handle.stat({ bigint: true })
    if (!before.isFile())
      return { _tag: "Refused", problem: "is not a file: set the path of a file", fingerprint: of(before) }
    if (before.size > BigInt(maximum))
      return {
        _tag: "Refused",
        problem: `is larger than ${maximum} bytes: remove old entries`,
        fingerprint: of(before)
      }
    const bytes = await readAll(handle, maximum)
    const after = await handle.stat({ bigint: true })
    return bytes === undefined || of(before) !== of(after)
      ? { _tag: "Moving" }
      : { _tag: "Read", bytes, modified: Number(after.mtimeMs), fingerprint: of(after) }
  } catch (error) {
    return { _tag: "Refused", problem: phrase((error as NodeJS.ErrnoException).code), fingerprint: "" }
  } finally {
    await handle?.close().catch(() => undefined)
  }
}

/** All bytes of the file; undefined when there are more than `maximum`. */
const readAll = async (handle: FileHandle, maximum: number): Promise<Uint8Array | undefined> => {
  const parts: Array<Buffer> = []
  let length = 0
  while (true) {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(chunk), 0, chunk, null)
    if (bytesRead === 0) return Buffer.concat(parts, length)
    length += bytesRead
    if (length > maximum) return undefined
    parts.push(buffer.subarray(0, bytesRead))
  }
}

/** Unit: bytes. */
const chunk = 64 * 1024

const of = (stats: {
  readonly dev: bigint
  readonly ino: bigint
  readonly size: bigint
  readonly mtimeNs: bigint
  readonly ctimeNs: bigint
}): Fingerprint => `${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`

const phrase = (code: string | undefined): string =>
  code === "ENOENT" || code === "ENOTDIR"
    ? "is missing: create it, or unset the variable"
    : code === "EACCES" || code === "EPERM"
      ? "is not readable by this user: grant read permission"
      : code === "ELOOP"
        ? "is a link to itself"
        : `cannot be read (${code ?? "unknown reason"})`
