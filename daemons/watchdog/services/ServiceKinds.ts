/** Kinds and states of services, for schemas and commands. */

export const kinds = ["container", "unit", "daemon"] as const
export type Kind = (typeof kinds)[number]

/** Condition in one word. `starting`: running, and its health is not known yet. */
export const states = ["running", "starting", "stopped", "failed", "unknown"] as const
export type State = (typeof states)[number]

/** Result of the container's health check, or the verdict of a daemon. `none`: there is no check. */
export const healths = ["healthy", "degraded", "unhealthy", "starting", "none"] as const
export type Health = (typeof healths)[number]
