/**
 * Changes the user of a command that root started: it continues as the owner of the data directory. Otherwise root
 * would leave files there that the daemons cannot read. The environment files are read before the change.
 */
import { Result } from "effect"
import { chownSync, mkdirSync, readFileSync, statSync } from "node:fs"
import { type Account, firstClosed, parsePasswd } from "../postgres/ServerAccount.ts"

/** User of the units. Source: User= of systemd/signalbox.service. */
const serviceUser = "signalbox"

/**
 * The account to continue as; undefined: root. Pure. `owner`: owner of the data directory, undefined before the first
 * start. `onHost`: this host runs the units.
 */
export const accountFor = (
  owner: { readonly uid: number; readonly gid: number } | undefined,
  known: ReadonlyArray<Account>,
  onHost: boolean
): Account | undefined => {
  if (owner !== undefined) {
    return owner.uid === 0
      ? undefined
      : (known.find(({ uid }) => uid === owner.uid) ?? { name: String(owner.uid), ...owner })
  }
  return onHost ? known.find(({ name, uid }) => name === serviceUser && uid !== 0) : undefined
}

/**
 * Changes the user of this process when it is root's. Fails with a sentence for the operator. `creates`: a missing data
 * directory is made for that user, as systemd does at the first start of a unit.
 */
export const continueAsOwner = (dataDir: string, onHost: boolean, creates: boolean): Result.Result<void, string> => {
  if (process.getuid?.() !== 0) return Result.void
  const owner = statSync(dataDir, { throwIfNoEntry: false })
  const known = parsePasswd(readFileSync("/etc/passwd", "utf8"))
  const account = accountFor(owner, known, onHost)
  if (account === undefined) return Result.void
  // The rest of the program is loaded on demand.
  const closed = firstClosed(import.meta.dirname, account)
  if (closed !== undefined) {
    return Result.fail(
      `${dataDir} belongs to ${account.name}, who cannot read this program (${closed} is closed). ` +
        "Use a program that all users can read, such as /opt/signalbox/bin/signalbox"
    )
  }
  if (owner === undefined && creates) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    chownSync(dataDir, account.uid, account.gid)
  }
  process.setgroups!([account.gid])
  process.setgid!(account.gid)
  process.setuid!(account.uid)
  return Result.void
}
