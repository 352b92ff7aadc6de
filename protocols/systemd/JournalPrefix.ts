/**
 * Prefixes log lines on standard output and error with their level, `<3>text`, so that the journal records it. Pure
 * except for one fstat. Source: sd-daemon(3) for the prefixes, systemd.exec(5) `$JOURNAL_STREAM` for detection.
 */
import type { LogLevel } from "effect"
import { Option } from "effect"
import { fstatSync } from "node:fs"
import type { Variables } from "./Environment.ts"

/** Syslog severity of each level. Source: RFC 5424 §6.2.1. Emergency (0) and alert (1) are not used. */
export const syslogSeverity: Readonly<Record<LogLevel.Severity, number>> = {
  Fatal: 2,
  Error: 3,
  Warn: 4,
  Info: 6,
  Debug: 7,
  Trace: 7
}

/** Adds the prefix to every line, because the journal stores each line as a separate entry. */
export const prefixLines = (level: LogLevel.Severity, text: string): string => {
  const prefix = `<${syslogSeverity[level]}>`
  return prefix + text.replace(/\r?\n(?!$)/g, `\n${prefix}`)
}

export interface JournalStream {
  readonly device: bigint
  readonly inode: bigint
}

/** Parses `device:inode`, both decimal. */
export const parseJournalStream = (value: string | undefined): Option.Option<JournalStream> => {
  const match = /^(\d{1,20}):(\d{1,20})$/.exec(value ?? "")
  if (match?.[1] === undefined || match[2] === undefined) return Option.none()
  return Option.some({ device: BigInt(match[1]), inode: BigInt(match[2]) })
}

/**
 * Whether the file descriptor (1 standard output, 2 standard error) is connected to the journal. The variable alone
 * does not prove it: child processes inherit it even when their output goes elsewhere.
 */
export const isJournal = (descriptor: number, variables: Variables = process.env): boolean => {
  const stream = parseJournalStream(variables["JOURNAL_STREAM"])
  if (Option.isNone(stream)) return false
  try {
    const { dev, ino } = fstatSync(descriptor, { bigint: true })
    return dev === stream.value.device && ino === stream.value.inode
  } catch {
    // The descriptor is closed.
    return false
  }
}
