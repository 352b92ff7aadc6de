/** Words of backups, for the API, the tables and the commands. */

/** What a backup contains. `full`: all of the other three. Source: interface document 3 §2.4. */
export const backupTypes = ["full", "databases", "files", "configuration"] as const
export type BackupType = (typeof backupTypes)[number]

/** What a job does. */
export const works = ["backup", "drill", "restore"] as const
export type Work = (typeof works)[number]

/** `waiting`: not begun. `lost`: the process that ran the job ended in the middle. */
export const jobStates = ["waiting", "running", "done", "failed", "lost"] as const
export type JobState = (typeof jobStates)[number]
