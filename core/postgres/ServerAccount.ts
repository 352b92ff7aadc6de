/**
 * Chooses the system account that runs the server, and the command prefix that starts its processes. Pure except
 * `readAccounts`. Postgres refuses uid 0, so root uses another account; other users run the server themselves. A
 * parent-death signal stops the server when our process is killed. Source: setpriv(1), capabilities(7).
 */
import { readFileSync, statSync } from "node:fs"
import { userInfo } from "node:os"
import { dirname } from "node:path"
import { Result } from "effect"
import { type EmbeddedPostgresError, failure } from "./EmbeddedPostgresError.ts"

/** An entry of passwd(5). */
export interface Account {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

/** The account that runs the server. `switched`: it differs from the account of this process. */
export interface ServerAccount extends Account {
  readonly switched: boolean
}

/**
 * `traverse`: the server needs a capability to pass directories closed to its account, such as a home directory with
 * mode 0700.
 */
export type Privilege = "plain" | "traverse"

/** Account for the server when the suite runs as root. No other program uses it. Source: signalbox.sysusers.conf. */
export const ownAccountName = "signalbox-postgres"

/** Accounts where the own one does not exist and cannot be created. Other programs use them, too. */
const sharedAccountNames = ["postgres", "nobody"]

export const isShared = ({ name }: Account): boolean => sharedAccountNames.includes(name)

export const parsePasswd = (text: string): ReadonlyArray<Account> =>
  text.split("\n").flatMap((line) => {
    const [name, , uid, gid] = line.split(":")
    return name && uid && gid && /^\d+$/.test(uid) && /^\d+$/.test(gid)
      ? [{ name, uid: Number(uid), gid: Number(gid) }]
      : []
  })

/**
 * Chooses the account. An existing cluster keeps the account that owns it, even when other accounts were added or
 * removed. Exception: `mayMove`, when the own account exists and the owner is a shared account, or root after an
 * interrupted move (ServerOwner.ts).
 */
export const chooseAccount = (facts: {
  readonly ours: Account
  readonly known: ReadonlyArray<Account>
  readonly dataOwner: { readonly uid: number; readonly gid: number } | undefined
  /** Whether the files may get another owner. Default: no. */
  readonly mayMove?: boolean
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
    const own = facts.mayMove && isShared({ name, ...dataOwner }) ? accountNamed(known, ownAccountName) : undefined
    return Result.succeed(own ?? { name, uid: dataOwner.uid, gid: dataOwner.gid, switched: true })
  }
  for (const name of [ownAccountName, ...sharedAccountNames]) {
    const account = accountNamed(known, name)
    if (account !== undefined) return Result.succeed(account)
  }
  return Result.fail(
    failure(
      "NoServerAccount",
      `Postgres does not run as root, and no account for it is in /etc/passwd`,
      `Create one: useradd --system --user-group --shell /usr/sbin/nologin ${ownAccountName}. ` +
        "Or start as another user, or set DATABASE_URL."
    )
  )
}

const accountNamed = (known: ReadonlyArray<Account>, name: string): ServerAccount | undefined => {
  const account = known.find((candidate) => candidate.name === name && candidate.uid !== 0)
  return account === undefined ? undefined : { ...account, switched: true }
}

/**
 * The account of this process and all accounts of the machine. Fails when the current uid has no name, which initdb and
 * peer authentication need.
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

/** Whether the mode bits let the account enter a directory or execute a file. Access control lists are ignored. */
export const mayPass = (
  entry: { readonly uid: number; readonly gid: number; readonly mode: number },
  account: Account
): boolean => ((entry.mode >> (entry.uid === account.uid ? 6 : entry.gid === account.gid ? 3 : 0)) & 1) === 1

/** First directory on the path, `path` included, that the account cannot enter; undefined when it can enter all. */
export const firstClosed = (path: string, account: Account): string | undefined => {
  const above = dirname(path)
  return (
    (above === path ? undefined : firstClosed(above, account)) ?? (mayPass(statSync(path), account) ? undefined : path)
  )
}

/**
 * Command prefix that runs a command as the account and sends it `signal` when our process dies. `traverse` keeps
 * CAP_DAC_READ_SEARCH across the change of uid. It sets no_setuid_fixup, because Postgres checks its binaries with
 * access(2), which otherwise ignores capabilities.
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
    : // An inherited capability (for low ports) would hide the server in /proc from unprivileged processes.
      ["--inh-caps=-all", "--ambient-caps=-all"]),
  "--pdeathsig",
  signal,
  "--"
]
