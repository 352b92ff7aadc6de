import { isAbsolute } from "node:path"
import { Redacted, Result } from "effect"
import {
  integer,
  list,
  optionalText,
  secret,
  flag,
  text,
  type SettingProblem,
  type Values
} from "#core/config/Settings.ts"
import { platformSettings } from "#core/config/PlatformSettings.ts"
import { timeZoneProblem } from "#core/words/TimeZone.ts"
import { targetsOf } from "./parts/DatabaseUrls.ts"
import { scheduleProblem } from "./ScheduleTimes.ts"

const absolute = (path: string) => (isAbsolute(path) ? undefined : `${path} is not an absolute path`)

/** Word that switches the restore drill off. */
export const noDrill = "off"

const drillCron = text("SIGNALBOX_BACKUP_DRILL_CRON", {
  doc: `When the newest backup is restored on trial: five cron fields, or ${noDrill}`,
  default: "0 5 * * 0"
})

const timeZone = text("SIGNALBOX_BACKUP_TIME_ZONE", {
  doc: "Time zone of the schedules of backups, such as Europe/Berlin",
  default: "UTC"
})

export const backupSettings = {
  dataDir: platformSettings.dataDir,
  keyFile: platformSettings.keyFile,
  repository: secret("SIGNALBOX_BACKUP_REPOSITORY", {
    doc:
      "restic repository: a path, sftp:user@host:/path or s3:https://host/bucket; unset: no backups. " +
      "`signalbox backup init` creates it"
  }),
  password: secret("SIGNALBOX_BACKUP_PASSWORD", {
    doc: "Password of the repository. Store a copy elsewhere: without it no backup can be read"
  }),
  s3KeyId: secret("SIGNALBOX_BACKUP_S3_KEY_ID", { doc: "Access key id of an S3-compatible repository" }),
  s3Secret: secret("SIGNALBOX_BACKUP_S3_SECRET", { doc: "Secret access key of an S3-compatible repository" }),
  sshKeyFile: optionalText("SIGNALBOX_BACKUP_SSH_KEY_FILE", {
    doc: "SSH key of an SFTP repository; unset: the keys of the daemon's user",
    check: absolute
  }),
  sshKnownHosts: optionalText("SIGNALBOX_BACKUP_SSH_KNOWN_HOSTS", {
    doc: "File with the host key of an SFTP repository; unset: that of the daemon's user",
    check: absolute
  }),
  furtherDatabases: secret("SIGNALBOX_BACKUP_DATABASE_URLS", {
    doc:
      "Further Postgres databases, beside that of DATABASE_URL, that belong to backups of type databases: URLs, " +
      "separated by commas. postgres://user:password@host/* means all databases of that server"
  }),
  customerFolders: list("SIGNALBOX_BACKUP_CUSTOMER_FOLDERS", {
    doc: "Folders with data of customers; they belong to backups of type files",
    default: [],
    check: absolute
  }),
  mailFolders: list("SIGNALBOX_BACKUP_MAIL_FOLDERS", {
    doc: "Folders with mail (Maildir or mdbox), read in place; they belong to backups of type files",
    default: [],
    check: absolute
  }),
  configurationPaths: list("SIGNALBOX_BACKUP_CONFIGURATION", {
    doc: "Files and folders of the configuration; they belong to backups of type configuration",
    default: ["/etc/signalbox"],
    check: absolute
  }),
  certificatePaths: list("SIGNALBOX_BACKUP_CERTIFICATES", {
    doc: "Files and folders with certificates and their keys; they belong to backups of type configuration",
    default: [],
    check: absolute
  }),
  includeKeys: flag("SIGNALBOX_BACKUP_INCLUDE_KEYS", {
    doc:
      "Whether a backup contains the key file of stored secrets (SIGNALBOX_KEY_FILE). With it, whoever opens the " +
      "repository reads all stored secrets; without it, keep a copy of the file elsewhere",
    default: false
  }),
  stagingDir: optionalText("SIGNALBOX_BACKUP_STAGING_DIR", {
    doc:
      "Folder for the dump of the databases while a backup runs, and for trial restores; needs as much room as the " +
      "databases. Unset: `backup` in the data directory",
    check: absolute
  }),
  timeZone,
  drillCron,
  drillReadPercent: integer("SIGNALBOX_BACKUP_DRILL_READ_PERCENT", {
    doc: "Share of the repository that a drill reads and verifies, beside what it restores",
    unit: "percent",
    default: 10,
    min: 1,
    max: 100
  }),
  tick: integer("SIGNALBOX_BACKUP_TICK_MS", {
    doc: "Longest pause of the schedules between two looks at the clock; only tests change it",
    unit: "milliseconds",
    default: 20_000,
    min: 10,
    max: 20_000
  })
}

export type BackupSettings = Values<typeof backupSettings>

/** Problems of single values and of the values together. */
export const backupConflicts = ({
  drillCron: cron,
  furtherDatabases,
  password,
  repository,
  timeZone: zone
}: BackupSettings): ReadonlyArray<SettingProblem> => {
  const cronProblem = cron.trim() === noDrill ? undefined : scheduleProblem(cron)
  const problem = timeZoneProblem(zone)
  const further = targetsOf(furtherDatabases === undefined ? "" : Redacted.value(furtherDatabases))
  return [
    ...(cronProblem === undefined ? [] : [{ name: "SIGNALBOX_BACKUP_DRILL_CRON", message: cronProblem }]),
    ...(problem === undefined ? [] : [{ name: "SIGNALBOX_BACKUP_TIME_ZONE", message: problem }]),
    ...(Result.isFailure(further) ? [{ name: "SIGNALBOX_BACKUP_DATABASE_URLS", message: further.failure }] : []),
    ...(repository !== undefined && password === undefined
      ? [{ name: "SIGNALBOX_BACKUP_PASSWORD", message: "is required with SIGNALBOX_BACKUP_REPOSITORY" }]
      : [])
  ]
}

/** Whether there is a repository. */
export const isConfigured = ({ password, repository }: BackupSettings): boolean =>
  repository !== undefined && password !== undefined
