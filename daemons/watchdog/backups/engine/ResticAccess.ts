/** How restic reaches the repository: its environment, and the ssh command of an SFTP repository. Pure. */
import { Redacted } from "effect"
import type { BackupSettings } from "../Settings.ts"

/** The words of restic for a setting: options of its command line and its environment. */
export const access = (config: BackupSettings) => {
  const repository = Redacted.value(config.repository!)
  const sftp = sftpOf(repository)
  return {
    secrets: [config.repository, config.password, config.s3KeyId, config.s3Secret].flatMap((secret) =>
      secret === undefined ? [] : [Redacted.value(secret)]
    ),
    options:
      sftp === undefined || (config.sshKeyFile === undefined && config.sshKnownHosts === undefined)
        ? []
        : ["-o", `sftp.command=${sshCommand(sftp, config)}`],
    env: {
      RESTIC_REPOSITORY: repository,
      RESTIC_PASSWORD: Redacted.value(config.password!),
      ...(config.s3KeyId === undefined ? {} : { AWS_ACCESS_KEY_ID: Redacted.value(config.s3KeyId) }),
      ...(config.s3Secret === undefined ? {} : { AWS_SECRET_ACCESS_KEY: Redacted.value(config.s3Secret) }),
      RESTIC_PROGRESS_FPS: "2",
      RESTIC_CACHE_DIR: `${config.dataDir}/backup/cache`
    }
  }
}

/** Login and port of an SFTP repository; undefined: another kind. Pure. */
export const sftpOf = (repository: string): { readonly login: string; readonly port?: string } | undefined => {
  const url = /^sftp:\/\/([^/:]+)(?::(\d+))?\//.exec(repository)
  if (url !== null) return { login: url[1]!, ...(url[2] === undefined ? {} : { port: url[2] }) }
  const short = /^sftp:([^/:]+):/.exec(repository)
  return short === null ? undefined : { login: short[1]! }
}

const sshCommand = ({ login, port }: { readonly login: string; readonly port?: string }, config: BackupSettings) =>
  [
    "ssh",
    "-o BatchMode=yes",
    "-o StrictHostKeyChecking=yes",
    ...(config.sshKeyFile === undefined ? [] : [`-i '${config.sshKeyFile}'`]),
    ...(config.sshKnownHosts === undefined ? [] : [`-o UserKnownHostsFile='${config.sshKnownHosts}'`]),
    ...(port === undefined ? [] : [`-p ${port}`]),
    login,
    "-s sftp"
  ].join(" ")
