/** Kinds and states of checks. */

export const kinds = [
  "container",
  "engine",
  "mail_queue",
  "disk",
  "inodes",
  "certificate",
  "memory",
  "load",
  "clock",
  "unit",
  "postgres",
  "connections",
  "transaction",
  "dead_rows",
  "replication",
  "daemon",
  "backup",
  "http",
  "tcp",
  "command"
] as const
export type Kind = (typeof kinds)[number]

/**
 * State of a check. `pending`: not checked yet. `unknown`: it cannot be checked, which neither opens nor closes an
 * alert.
 */
export const statuses = ["pending", "ok", "warning", "critical", "unknown"] as const
export type Status = (typeof statuses)[number]

/** `built_in`: found on the machine. `operator`: written by an operator. */
export const origins = ["built_in", "operator"] as const
export type Origin = (typeof origins)[number]
