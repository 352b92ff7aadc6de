/** Limits of the services API. */

/** Lines of a log in one answer. Reason: 4 MiB at most, and more than a page shows. */
export const maxLines = 5_000
/** Lines when the request names none. Reason: fills a screen a few times. */
export const defaultLines = 200
/** Longest reason of a restart. Unit: UTF-16 units. */
export const maxReason = 200
/** Logs that are followed at once in one process. Reason: each has a process or a connection of its own. */
export const maxFollowers = 32
