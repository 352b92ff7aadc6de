/** Locks of a repository that no living program holds. Source: restic, "Locks" in its design document. */
import { hostname } from "node:os"
import { Duration } from "effect"
import { isAlive } from "#core/supervision/ProcessIdentity.ts"

/** A lock as `restic cat lock` prints it. */
export interface Lock {
  readonly hostname: string
  readonly pid: number
  readonly time: string
}

/**
 * Age at which restic regards a lock as abandoned. A running restic renews its lock every 5 minutes. Source: restic.
 */
const staleLock = Duration.minutes(30)

/**
 * Whether no program holds the lock. `now`: milliseconds since 1970. When another program got the process id of a dead
 * restic, its lock counts as held until `staleLock`.
 */
export const isAbandoned = ({ hostname: host, pid, time }: Lock, now: number): boolean =>
  (host === hostname() && !isAlive(pid)) || Date.parse(time) < now - Duration.toMillis(staleLock)
