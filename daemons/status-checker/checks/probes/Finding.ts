/** How probes say what they found. Pure. */
import type { Outcome, ProbeResult } from "../../status/Probe.ts"

/** Unit: characters. Reason: a line that operators read. */
const maxDetail = 200

/** `detail`: never what the other side sent, which may hold secrets or anything else. */
export const finding = (kind: string, outcome: Outcome, detail: string): ProbeResult => ({
  kind,
  outcome,
  detail: detail.slice(0, maxDetail)
})

/**
 * Why something could not be asked that says nothing about whom we asked: no way out of this host, no resolver, no
 * descriptors or memory. Source: errno(3), getaddrinfo(3).
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

/** What an error code says of the other side. */
export const outcomeOf = (code: string): Outcome => (ours.has(code) ? "unknown" : "down")

export const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : "unknown"
