/** Settings and a wait with which the time of day at which a test runs makes no difference. */
import { Effect } from "effect"

/** Variables with which no schedule is due during a test: at 3 o'clock UTC `nightly` is due by default. */
export const nothingDue = {
  SIGNALBOX_BACKUP_TIME_ZONE: new Date().getUTCHours() === 2 ? "Etc/GMT+12" : "UTC",
  SIGNALBOX_BACKUP_DRILL_CRON: "off"
}

/** Longest time between two backups of a test. Unit: milliseconds. */
const longest = 90_000

/** Waits for the next day when this one is nearly over. Reason: of each day restic keeps one backup. */
export const oneDay = Effect.suspend(() => {
  const now = new Date()
  const left = new Date(now).setHours(24, 0, 0, 0) - now.getTime()
  return left > longest ? Effect.void : Effect.sleep(left + 1_000)
})
