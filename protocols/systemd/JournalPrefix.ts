/**
 * Log lines on standard output or error that the journal files under their level: `<3>text`.
 * Pure but for one fstat. Source: sd-daemon(3) for the prefixes, systemd.exec(5) `$JOURNAL_STREAM` for detection.
 */
import type { LogLevel } from "effect"
import { Option } from "effect"
import { fstatSync } from "node:fs"
import type { Variables } from "./Environment.ts"

/** Syslog severity of each level. Source: RFC 5424 §6.2.1. Nothing a program logs is an emergency (0) or alert (1). */
export const syslogSeverity: Readonly<Record<LogLevel.Severity, number>> = {
  Fatal: 2,
  Error: 3,
  Warn: 4,
  Info: 6,
  Debug: 7,
  Trace: 7
}

/** Every line gets the prefix: the journal takes each line as an entry of its own. */
export const prefixLines = (level: LogLevel.Severity, text: string): string => {
  const prefix = `<${syslogSeverity[level]}>`
  return prefix + text.replace(/\r?\n(?!$)/g, `\n${prefix}`)
}

export interface JournalStream {
  readonly device: bigint
  readonly inode: bigint
}

/** `device:inode`, both decimal. */
export const parseJournalStream = (value: string | undefined): Option.Option<JournalStream> => {
  const match = /^(\d{1,20}):(\d{1,20})$/.exec(value ?? "")
  if (match?.[1] === undefined || match[2] === undefined) return Option.none()
  return Option.some({ device: BigInt(match[1]), inode: BigInt(match[2]) })
}

/**
 * Whether this file descriptor (1 standard output, 2 standard error) is the journal's. The variable alone does
 * not say so: it is inherited by children whose output goes elsewhere.
 */
export const isJournal = (descriptor: number, variables: Variables = process.env): boolean => {
  const stream = parseJournalStream(variables["JOURNAL_STREAM"])
  if (Option.isNone(stream)) return false
  try {
    const { dev, ino } = fstatSync(descriptor, { bigint: true })
    return dev === stream.value.device && ino === stream.value.inode
  } catch {
    // A closed descriptor is nobody's stream.
    return false
  }
}
