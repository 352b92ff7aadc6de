/** Locks of a repository that no living program holds. Source: restic, "Locks" in its design document. */
import { hostname } from "node:os"
import { Duration } from "effect"

/** A lock as `restic cat lock` prints it. */
export interface Lock {
  readonly hostname: string
  readonly pid: number
  readonly time: string
}

/** Age at which restic takes a lock for abandoned. A living restic renews its lock every 5 minutes. Source: restic. */
const staleLock = Duration.minutes(30)

/**
 * Whether nobody holds the lock. `now`: milliseconds since 1970. A process with the id of a dead one hides a lock until
 * it is old.
 */
export const isAbandoned = ({ hostname: host, pid, time }: Lock, now: number): boolean =>
  (host === hostname() && !isAlive(pid)) || Date.parse(time) < now - Duration.toMillis(staleLock)

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}
