/**
 * The directory that the signer reads: files appear in it whole or not at all, readable by their owner and by the
 * directory's group. It makes no directory itself, because whose group may read is the operator's to say.
 */
import { Effect, Redacted, Schema } from "effect"
import { randomUUID } from "node:crypto"
import { type FileHandle, lstat, open, readdir, readFile, rename, rm, stat } from "node:fs/promises"
import { join } from "node:path"

/** Mode of every file. Reason: the signer is in the group; nobody else has any business with a key. */
const fileMode = 0o640

/** What begins the name of a file that is being written. */
const draftPrefix = ".signalbox-draft-"

/** Age at which a draft is a killed process's. Unit: milliseconds. Reason: writing one takes milliseconds. */
const draftAge = 10 * 60_000

/** `Missing`, `Denied`, `Group`: a person has to mend it. `Failed`: waiting may help. */
export class KeyDirectoryError extends Schema.TaggedError<KeyDirectoryError>()("KeyDirectoryError", {
  reason: Schema.Literals(["Missing", "Denied", "Group", "Failed"]),
  detail: Schema.String
}) {
  override get message() {
    return this.detail
  }
}

export interface KeyDirectory {
  /**
   * Every file, with a stamp that changes when the file does; undefined when it is not readable as it has to be, or no
   * file.
   */
  readonly look: Effect.Effect<ReadonlyMap<string, string | undefined>, KeyDirectoryError>
  /** Makes the file hold this, and answers its stamp; leaves one alone that holds it. */
  readonly put: (name: string, content: Redacted.Redacted) => Effect.Effect<string, KeyDirectoryError>
  readonly remove: (name: string) => Effect.Effect<void, KeyDirectoryError>
}

export const make = (path: string): KeyDirectory => {
  const attempt = <A>(doing: string, work: () => Promise<A>): Effect.Effect<A, KeyDirectoryError> =>
    Effect.tryPromise({
      try: work,
      catch: (error) => (error instanceof KeyDirectoryError ? error : explained(path, doing, error))
    })
  return {
    look: attempt("read", async () => {
      const { gid } = await stat(path)
      const found = new Map<string, string | undefined>()
      for (const name of await readdir(path)) {
        const at = join(path, name)
        const seen = await lstat(at, { bigint: true }).catch(ifGone)
        if (seen === undefined) continue
        if (!name.startsWith(draftPrefix)) found.set(name, seen.gid === BigInt(gid) ? stampOf(seen) : undefined)
        else if (Date.now() - Number(seen.mtimeMs) > draftAge) await rm(at, { force: true })
      }
      return found
    }),
    put: (name, content) => attempt("written", () => put(path, name, Redacted.value(content))),
    remove: (name) => attempt("written", () => rm(join(path, name), { force: true }))
  }
}

interface Seen {
  readonly isFile: () => boolean
  readonly mode: bigint
  readonly ino: bigint
  readonly size: bigint
  readonly mtimeNs: bigint
  readonly ctimeNs: bigint
}

const stampOf = (seen: Seen): string | undefined =>
  seen.isFile() && (Number(seen.mode) & 0o7777) === fileMode
    ? [seen.ino, seen.size, seen.mtimeNs, seen.ctimeNs].join(" ")
    : undefined

const put = async (path: string, name: string, content: string): Promise<string> => {
  const at = join(path, name)
  const { gid } = await stat(path)
  const old = await lstat(at, { bigint: true }).catch(ifGone)
  const oldStamp = old !== undefined && old.gid === BigInt(gid) ? stampOf(old) : undefined
  if (oldStamp !== undefined && (await readFile(at, "utf8")) === content) return oldStamp
  const draft = join(path, `${draftPrefix}${randomUUID()}`)
  try {
    const handle = await open(draft, "wx", 0o600)
    try {
      // Its readers first, then what they read.
      await giveToGroup(path, handle, gid)
      await handle.chmod(fileMode)
      await handle.writeFile(content)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(draft, at)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {})
    throw error
  }
  return stampOf(await lstat(at, { bigint: true })) ?? ""
}

/** A directory with the setgid bit has done so already; without it only root, or a member of the group, can. */
const giveToGroup = async (path: string, handle: FileHandle, gid: number): Promise<void> => {
  const made = await handle.stat()
  if (made.gid === gid) return
  await handle.chown(made.uid, gid).catch(() => {
    throw new KeyDirectoryError({
      reason: "Group",
      detail: `files in SIGNALBOX_DKIM_DIR (${path}) do not get its group ${gid}, so the signer could not read them: chmod g+s ${path}`
    })
  })
}

const ifGone = (error: NodeJS.ErrnoException): undefined => {
  if (error.code === "ENOENT") return undefined
  throw error
}

const explained = (path: string, doing: string, error: unknown): KeyDirectoryError => {
  const code = (error as NodeJS.ErrnoException).code ?? "unknown"
  const where = `SIGNALBOX_DKIM_DIR (${path})`
  if (code === "ENOENT" || code === "ENOTDIR")
    return new KeyDirectoryError({ reason: "Missing", detail: `${where} is no directory that is there (${code})` })
  return new KeyDirectoryError({
    reason: ["EACCES", "EPERM", "EROFS"].includes(code) ? "Denied" : "Failed",
    detail: `${where} cannot be ${doing} (${code})`
  })
}
