/**
 * Logs: one line an event, logfmt by default, with `service`, `actor` and `trace_id`. Under journald each line carries
 * its syslog level, so that `journalctl -p err` works. Redacted values print as such; nothing else is hidden here, so
 * secrets are Redacted from the moment they are read.
 */
import { Cause, Context, Effect, Inspectable, Layer, Logger, type LogLevel, Option, References, Tracer } from "effect"
import { isJournal, prefixLines } from "#protocols/systemd/JournalPrefix.ts"
import * as Settings from "../config/Settings.ts"

export const logSettings = {
  level: Settings.oneOf("SIGNALBOX_LOG_LEVEL", {
    doc: "Lowest level that is logged",
    default: "info",
    words: ["debug", "info", "warn", "error"]
  }),
  format: Settings.oneOf("SIGNALBOX_LOG_FORMAT", {
    doc: "logfmt for people and grep, json for collectors",
    default: "logfmt",
    words: ["logfmt", "json"]
  })
}

/** Longest line. Unit: characters. Reason: journald splits at 48 KiB; a line is for reading. */
const maxLine = 8_000

const levels: Record<Settings.Values<typeof logSettings>["level"], LogLevel.LogLevel> = {
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error"
}

/** The logger of a process. Writes to standard error, which is where journald and a terminal both look. */
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
 * One event as its line, at most `maxLine` characters and in JSON still JSON: the longest fields are cut, not the line.
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

/** The fields of one event, in the order they are printed. */
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
    // journald stamps the time by itself.
    .filter(([key]) => !(journal && key === "time"))
    .map(([key, value]) => `${key}=${quoted(value)}`)
    .join(" ")

const quoted = (value: unknown): string => {
  const text = typeof value === "string" ? value : Inspectable.toStringUnknown(value, 0)
  return /^[^\s"=]+$/.test(text) ? text : JSON.stringify(text)
}

/** Annotates every line under `effect` with its daemon. */
export const forDaemon =
  (daemon: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.annotateLogs(effect, { service: daemon })
