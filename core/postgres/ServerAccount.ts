/**
 * Which operating system account runs the server and how its processes are started. Pure but for `readAccounts`.
 * Postgres refuses uid 0, so root hands the server to another account; everybody else runs it as himself. Every process
 * gets a parent-death signal, so that SIGKILL of ours leaves no server behind. Source: setpriv(1), capabilities(7).
 */
import { readFileSync, statSync } from "node:fs"
import { userInfo } from "node:os"
import { dirname } from "node:path"
import { Result } from "effect"
import { type EmbeddedPostgresError, failure } from "./EmbeddedPostgresError.ts"

/** An account as passwd(5) has it. */
export interface Account {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

/** The account the server runs as; `switched` when it is not ours. */
export interface ServerAccount extends Account {
  readonly switched: boolean
}

/**
 * `traverse`: with the one capability to pass directories that are closed to the account (a 0700 home above the data).
 */
export type Privilege = "plain" | "traverse"

/** Accounts root hands the server to, in order of preference. */
const serverAccountNames = ["postgres", "nobody"]

export const parsePasswd = (text: string): ReadonlyArray<Account> =>
  text.split("\n").flatMap((line) => {
    const [name, , uid, gid] = line.split(":")
    return name && uid && gid && /^\d+$/.test(uid) && /^\d+$/.test(gid)
      ? [{ name, uid: Number(uid), gid: Number(gid) }]
      : []
  })

/** Chooses the account. An existing cluster keeps the account that owns it, whatever accounts came or went since. */
export const chooseAccount = (facts: {
  readonly ours: Account
  readonly known: ReadonlyArray<Account>
  readonly dataOwner: { readonly uid: number; readonly gid: number } | undefined
}): Result.Result<ServerAccount, EmbeddedPostgresError> => {
  const { dataOwner, known, ours } = facts
  if (ours.uid !== 0) {
    return dataOwner === undefined || dataOwner.uid === ours.uid
      ? Result.succeed({ ...ours, switched: false })
      : Result.fail(
          failure(
            "DirectoryNotOurs",
            `the database files belong to uid ${dataOwner.uid}, this process is uid ${ours.uid} (${ours.name})`,
            "Start as that user (or as root), or change the owner of the directory 'postgres' in SIGNALBOX_DATA_DIR."
          )
        )
  }
  if (dataOwner !== undefined && dataOwner.uid !== 0) {
    const name = known.find((account) => account.uid === dataOwner.uid)?.name ?? String(dataOwner.uid)
    return Result.succeed({ name, ...dataOwner, switched: true })
  }
  for (const name of serverAccountNames) {
    const account = known.find((candidate) => candidate.name === name && candidate.uid !== 0)
    if (account !== undefined) return Result.succeed({ ...account, switched: true })
  }
  return Result.fail(
    failure(
      "NoServerAccount",
      "Postgres does not run as root, and neither 'postgres' nor 'nobody' is in /etc/passwd",
      "Create an account: useradd --system --shell /usr/sbin/nologin postgres. Or start as another user, or set DATABASE_URL."
    )
  )
}

/**
 * Our own account and those of this machine. Fails when our uid has no name, which initdb and peer authentication need.
 */
export const readAccounts = (): Result.Result<
  { readonly ours: Account; readonly known: ReadonlyArray<Account> },
  EmbeddedPostgresError
> => {
  try {
    const { gid, uid, username } = userInfo()
    return Result.succeed({
      ours: { name: username, uid, gid },
      known: parsePasswd(readFileSync("/etc/passwd", "utf8"))
    })
  } catch (cause) {
    return Result.fail(
      failure(
        "NoServerAccount",
        `uid ${process.getuid?.()} has no passwd entry (${cause instanceof Error ? cause.message : String(cause)})`,
        "Add one, install libnss-systemd when systemd made the user up (DynamicUser), or set DATABASE_URL."
      )
    )
  }
}

/** Whether mode bits let the account pass a directory (or run a file). Access lists are not looked at. */
export const mayPass = (
  entry: { readonly uid: number; readonly gid: number; readonly mode: number },
  account: Account
): boolean => ((entry.mode >> (entry.uid === account.uid ? 6 : entry.gid === account.gid ? 3 : 0)) & 1) === 1

/**
 * The first directory on the way to `path` (itself included) that the account cannot pass; undefined when the way is
 * open.
 */
export const firstClosed = (path: string, account: Account): string | undefined => {
  const above = dirname(path)
  return (
    (above === path ? undefined : firstClosed(above, account)) ?? (mayPass(statSync(path), account) ? undefined : path)
  )
}

/**
 * The words to put before a command so that it runs as the account, in a state where the end of our process sends it
 * `signal`. With `traverse` it keeps CAP_DAC_READ_SEARCH over the change of uid; no_setuid_fixup because access(2),
 * which Postgres asks about its own binaries, otherwise judges without capabilities.
 */
export const launcher = (
  account: ServerAccount,
  privilege: Privilege,
  signal: "INT" | "KILL"
): ReadonlyArray<string> => [
  "setpriv",
  ...(account.switched ? ["--reuid", String(account.uid), "--regid", String(account.gid), "--clear-groups"] : []),
  ...(privilege === "traverse"
    ? ["--securebits", "+no_setuid_fixup", "--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"]
    : // A capability of ours (low ports) that the server inherited would hide it in /proc from processes without.
      ["--inh-caps=-all", "--ambient-caps=-all"]),
  "--pdeathsig",
  signal,
  "--"
]
