/** How restic reaches the repository: its environment, and the ssh command of an SFTP repository. Pure. */
import { resolve } from "node:path"
import { Redacted } from "effect"
import type { BackupSettings } from "../Settings.ts"

/** What restic keeps on this machine. `none`: nothing, for a command that restores into a new data directory. */
export type Cache = "data directory" | "none"

/** The words of restic for a setting: options of its command line and its environment. */
export const access = (config: BackupSettings, cache: Cache) => {
  const repository = Redacted.value(config.repository!)
  const sftp = sftpOf(repository)
  return {
    secrets: [config.repository, config.password, config.s3KeyId, config.s3Secret].flatMap((secret) =>
      secret === undefined ? [] : [Redacted.value(secret)]
    ),
    options: [
      ...(cache === "none" ? ["--no-cache"] : []),
      ...(sftp === undefined ? [] : ["-o", csv(`sftp.command=${sshCommand(sftp, config)}`)])
    ],
    env: {
      RESTIC_REPOSITORY: repository,
      RESTIC_PASSWORD: Redacted.value(config.password!),
      ...(config.s3KeyId === undefined ? {} : { AWS_ACCESS_KEY_ID: Redacted.value(config.s3KeyId) }),
      ...(config.s3Secret === undefined ? {} : { AWS_SECRET_ACCESS_KEY: Redacted.value(config.s3Secret) }),
      RESTIC_PROGRESS_FPS: "2",
      // restic runs in another folder, so a relative path would name another place.
      RESTIC_CACHE_DIR: `${resolve(config.dataDir)}/backup/cache`
    }
  }
}

/** restic reads the value of -o as a line of comma-separated values. */
const csv = (text: string) => `"${text.replaceAll('"', '""')}"`

/** Login and port of an SFTP repository; undefined: another kind. Pure. */
export const sftpOf = (repository: string): { readonly login: string; readonly port?: string } | undefined => {
  const url = /^sftp:\/\/([^/:]+)(?::(\d+))?\//.exec(repository)
  if (url !== null) return { login: url[1]!, ...(url[2] === undefined ? {} : { port: url[2] }) }
  const short = /^sftp:([^/:]+):/.exec(repository)
  return short === null ? undefined : { login: short[1]! }
}

/**
 * Interval of questions to a silent server, and unanswered questions after which the connection ends. Unit: seconds.
 * Reason: without them restic waits for ever for a host that is away.
 */
const aliveInterval = 30
const aliveCount = 4

const sshCommand = ({ login, port }: { readonly login: string; readonly port?: string }, config: BackupSettings) =>
  [
    "ssh",
    "-o BatchMode=yes",
    "-o StrictHostKeyChecking=yes",
    "-o ConnectTimeout=30",
    `-o ServerAliveInterval=${aliveInterval}`,
    `-o ServerAliveCountMax=${aliveCount}`,
    ...(config.sshKeyFile === undefined ? [] : [`-i '${config.sshKeyFile}'`]),
    ...(config.sshKnownHosts === undefined ? [] : [`-o 'UserKnownHostsFile="${config.sshKnownHosts}"'`]),
    ...(port === undefined ? [] : [`-p ${port}`]),
    login,
    "-s sftp"
  ].join(" ")
