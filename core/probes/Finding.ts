/** Results of probes. Pure. */
import type { Outcome, ProbeFound, ProbeResult } from "./ProbeResult.ts"

/** Longest detail. Unit: characters. Reason: one line for operators. */
const maxDetail = 200

/** `detail` never contains received data, which may include secrets. */
export const finding = (kind: string, outcome: Outcome, detail: string, found?: ProbeFound): ProbeResult => ({
  kind,
  outcome,
  detail: detail.slice(0, maxDetail),
  ...(found === undefined ? {} : { found })
})

/**
 * Errors with a cause on this host: no route, no resolver, no descriptors or memory. They say nothing about the target.
 * Source: errno(3), getaddrinfo(3).
 */
const ours: ReadonlySet<string> = new Set([
  "ENETUNREACH",
  "ENETDOWN",
  "EADDRNOTAVAIL",
  "EAFNOSUPPORT",
  "EMFILE",
  "ENFILE",
  "ENOBUFS",
  "ENOMEM",
  "EACCES",
  "EPERM",
  "EAI_AGAIN",
  "EAI_FAIL",
  "EAI_MEMORY",
  "EAI_SYSTEM"
])

/** Outcome of the target for an error code. */
export const outcomeOf = (code: string): Outcome => (ours.has(code) ? "unknown" : "down")

export const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : "unknown"
