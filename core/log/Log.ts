/**
 * Logging: one line per event, logfmt by default, with `service`, `actor` and `trace_id`. Under journald each line
 * carries its syslog level, so that `journalctl -p err` works. Redacted values are printed as redacted. Nothing else is
 * hidden, so secrets must be Redacted as soon as they are read.
 */
import { Cause, Context, Effect, Inspectable, Layer, Logger, type LogLevel, Option, References, Tracer } from "effect"
import { isJournal, prefixLines } from "#protocols/systemd/JournalPrefix.ts"
import * as Settings from "../config/Settings.ts"
import { CurrentDaemon } from "../metrics/CurrentDaemon.ts"

export const logSettings = {
  level: Settings.oneOf("SIGNALBOX_LOG_LEVEL", {
    doc: "Lowest logged level",
    default: "info",
    words: ["debug", "info", "warn", "error"]
  }),
  format: Settings.oneOf("SIGNALBOX_LOG_FORMAT", {
    doc: "logfmt for people and grep, json for collectors",
    default: "logfmt",
    words: ["logfmt", "json"]
  })
}

/** Longest line. Unit: characters. Reason: journald splits lines at 48 KiB, and longer lines are not readable. */
const maxLine = 8_000

const levels: Record<Settings.Values<typeof logSettings>["level"], LogLevel.LogLevel> = {
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error"
}

/** Creates the logger of a process. Writes to standard error, which journald and terminals show. */
export const layer = (options: {
  readonly service: string
  readonly level: Settings.Values<typeof logSettings>["level"]
  readonly format: Settings.Values<typeof logSettings>["format"]
}): Layer.Layer<never> => {
  const journal = isJournal(2)
  const logger = Logger.make<unknown, void>((entry) => {
    const line = toLine(options.format, toFields(options.service, entry), journal)
    process.stderr.write(`${journal ? prefixLines(entry.logLevel as LogLevel.Severity, line) : line}\n`)
  })
  return Layer.merge(Logger.layer([logger]), Layer.succeed(References.MinimumLogLevel, levels[options.level]))
}

/**
 * Formats one event as a line of at most `maxLine` characters. Cuts the longest fields rather than the line, so that
 * JSON stays valid.
 */
export const toLine = (format: "logfmt" | "json", fields: Record<string, unknown>, journal: boolean): string => {
  const write = (some: Record<string, unknown>) => (format === "json" ? JSON.stringify(some) : logfmt(some, journal))
  let line = write(fields)
  for (let bound = maxLine; line.length > maxLine; bound = Math.floor(bound / 2)) {
    line = write(
      Object.fromEntries(
        Object.entries(fields).map(([key, value]) => {
          const text = typeof value === "string" ? value : Inspectable.toStringUnknown(value, 0)
          return [key, text.length > bound ? `${text.slice(0, bound)}…` : value]
        })
      )
    )
    if (bound < 16) return line.slice(0, maxLine)
  }
  return line
}

/** The fields of one event in print order. */
export const toFields = (service: string, entry: Logger.Options<unknown>): Record<string, unknown> => {
  const annotations = entry.fiber.getRef(References.CurrentLogAnnotations)
  const parts = Array.isArray(entry.message) ? entry.message : [entry.message]
  const texts = parts.filter((part) => typeof part === "string")
  const objects = parts.filter((part) => typeof part !== "string" && !Cause.isCause(part))
  const causes = [...parts.filter(Cause.isCause), ...(entry.cause.reasons.length > 0 ? [entry.cause] : [])]
  const span = Option.getOrUndefined(Context.getOption(entry.fiber.context, Tracer.ParentSpan))
  return {
    time: entry.date.toISOString(),
    level: entry.logLevel.toLowerCase(),
    service,
    ...annotations,
    ...(span === undefined || !span.sampled ? {} : { trace_id: span.traceId }),
    message: texts.join(" "),
    ...(objects.length > 0 ? { data: objects.map((object) => Inspectable.toStringUnknown(object, 0)).join(" ") } : {}),
    ...(causes.length > 0
      ? { cause: causes.map((cause) => Cause.pretty(cause as Cause.Cause<unknown>)).join("\n") }
      : {})
  }
}

const logfmt = (fields: Record<string, unknown>, journal: boolean): string =>
  Object.entries(fields)
    // journald adds its own timestamp.
    .filter(([key]) => !(journal && key === "time"))
    .map(([key, value]) => `${key}=${quoted(value)}`)
    .join(" ")

const quoted = (value: unknown): string => {
  const text = typeof value === "string" ? value : Inspectable.toStringUnknown(value, 0)
  return /^[^\s"=]+$/.test(text) ? text : JSON.stringify(text)
}

/** Names the daemon of `effect` in every log line, and for its metrics and spans. */
export const forDaemon =
  (daemon: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.annotateLogs(Effect.provideService(effect, CurrentDaemon, daemon), { service: daemon })
