/**
 * The directory that the signer reads. Files are written atomically, and are readable by their owner and the
 * directory's group. It never creates the directory, because the operator chooses its group.
 */
import { Effect, Redacted, Schema } from "effect"
import { randomUUID } from "node:crypto"
import { type FileHandle, lstat, open, readdir, readFile, rename, rm, stat } from "node:fs/promises"
import { join } from "node:path"

/** File mode. Reason: the signer is in the group; no other user may read a key. */
const fileMode = 0o640

/** Name prefix of files being written. */
const draftPrefix = ".signalbox-draft-"

/** Age at which a draft was left by a killed process. Unit: milliseconds. Reason: writing one takes milliseconds. */
const draftAge = 10 * 60_000

/** `Missing`, `Denied`, `Group`: an operator must fix it. `Failed`: a retry may succeed. */
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
   * All files, each with a stamp that changes when the file changes. The stamp is undefined for a file with wrong
   * permissions, and for anything that is not a regular file.
   */
  readonly look: Effect.Effect<ReadonlyMap<string, string | undefined>, KeyDirectoryError>
  /** Writes the content unless the file already has it. Returns the file's stamp. */
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
      // Sets group and mode before any content is written.
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

/**
 * Sets the group of a file. With the setgid bit on the directory it is already set; otherwise only root or a member of
 * the group can set it.
 */
const giveToGroup = async (path: string, handle: FileHandle, gid: number): Promise<void> => {
  const made = await handle.stat()
  if (made.gid === gid) return
  await handle.chown(made.uid, gid).catch(() => {
    throw new KeyDirectoryError({
      reason: "Group",
      detail:
        `files in SIGNALBOX_DKIM_DIR (${path}) do not get its group ${gid}, so the signer cannot read them: ` +
        `run chmod g+s ${path}`
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
    return new KeyDirectoryError({
      reason: "Missing",
      detail: `${where} is not an existing directory (${code}): create it as in config/rspamd/README.md`
    })
  return new KeyDirectoryError({
    reason: ["EACCES", "EPERM", "EROFS"].includes(code) ? "Denied" : "Failed",
    detail: `${where} cannot be ${doing} (${code})`
  })
}
