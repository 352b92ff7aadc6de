/**
 * Parser of the alarm subject `SEVERITY:CHANNEL+TARGET[;CHANNEL+TARGET;...][;RETRY:NxMm]`. Pure; linear in its length.
 *
 *   subject   = severity ":" target *( ";" target ) [ ";" "RETRY" ":" N "x" M "m" ] *( ";" )
 *   target    = channel "+" value
 *
 * Letter case is ignored, and white space (also of folded header lines) may surround every element. `Re:` and `Fwd:`
 * are not stripped: a reply to an alarm is no alarm.
 * - `;` separates only before a known `CHANNEL+` or `RETRY:`, so a URL keeps its `;`, `+` and `:`. A URL that contains
 *   `;call+` writes `%3B`. A `;` at the end of an element is dropped, also from a URL.
 * - Phone numbers and chat ids contain no `;`. An unknown word after such a `;` is an error at that word. After a URL
 *   it cannot be distinguished from the URL and stays part of it.
 * - RETRY is allowed once, at the end. 0 minutes is allowed; RetryPlan enforces a shortest pause.
 * - A repeated target counts once. The first mistake from the left is reported.
 * - Control characters other than folding (CR, LF, tab) are refused.
 */
import { Result } from "effect"
import {
  type AlarmTarget,
  type Channel,
  channels,
  maxSubjectLength,
  severities,
  type Severity
} from "../../vocabulary/Exports.ts"
import { AlarmSubjectError, type AlarmSubjectReason, excerpt } from "./AlarmSubjectError.ts"
import { normaliseTarget } from "./NormaliseTarget.ts"

/** `attempts` in all, with `pauseMinutes` between them. */
export interface AlarmRetry {
  readonly attempts: number
  readonly pauseMinutes: number
}

export interface AlarmSubject {
  readonly severity: Severity
  readonly targets: readonly [AlarmTarget, ...Array<AlarmTarget>]
  readonly retry: AlarmRetry | undefined
}

/** Maximum number of targets of one alarm, as written. Reason: one mail must not dial a whole directory. */
export const maxTargets = 50

/** Maximum number of attempts per target. Reason: bounds the cost of one mail. */
export const maxAttempts = 20

/** Longest pause between attempts. Unit: minutes. Reason: a day; a later alarm is useless. */
export const maxPauseMinutes = 1_440

/** Parses a subject. Never throws. */
export const parse = (subject: string): Result.Result<AlarmSubject, AlarmSubjectError> => {
  const fail = (reason: AlarmSubjectReason, position: number) =>
    Result.fail(new AlarmSubjectError({ reason, position: Math.min(position, Math.max(0, subject.length - 1)) }))

  if (subject.length > maxSubjectLength) return fail({ _tag: "TooLong", limit: maxSubjectLength }, maxSubjectLength)
  const control = forbiddenControl.exec(subject)
  if (control !== null) return fail({ _tag: "ControlCharacter", codePoint: control[0].charCodeAt(0) }, control.index)
  if (subject.trim() === "") return fail({ _tag: "Empty" }, 0)

  const colon = subject.indexOf(":")
  const start = skipSpace(subject, 0)
  if (colon < 0) return fail({ _tag: "MissingSeverity" }, start)
  const word = subject.slice(start, colon).trim()
  if (word === "") return fail({ _tag: "MissingSeverity" }, start)
  const severity = severities.find((known) => known === word.toUpperCase())
  if (severity === undefined) return fail({ _tag: "UnknownSeverity", word: excerpt(word) }, start)

  const targets = new Map<string, AlarmTarget>()
  let retry: { readonly rule: AlarmRetry; readonly position: number } | undefined
  let written = 0
  for (const element of elements(subject, colon + 1)) {
    switch (element._tag) {
      case "Stray": {
        return element.word === undefined
          ? fail({ _tag: "ExpectedTarget", text: excerpt(element.text) }, element.position)
          : fail({ _tag: "UnknownChannel", word: excerpt(element.word) }, element.position)
      }
      case "Retry": {
        if (retry !== undefined) return fail({ _tag: "DuplicateRetry" }, element.position)
        const rule = parseRetry(element.value)
        if (Result.isFailure(rule)) return fail(rule.failure, element.valuePosition)
        retry = { rule: rule.success, position: element.position }
        break
      }
      case "Target": {
        if (retry !== undefined) return fail({ _tag: "RetryNotLast" }, retry.position)
        if (++written > maxTargets) return fail({ _tag: "TooManyTargets", limit: maxTargets }, element.position)
        const { channel } = element
        if (element.value === "") return fail({ _tag: "EmptyTarget", channel }, element.valuePosition)
        const target = normaliseTarget(channel, element.value)
        if (Result.isFailure(target)) return fail(target.failure, element.valuePosition)
        // Removing the fragment or decoding the host can expose a semicolon, so the form that `format` writes is kept.
        const canonical = channel === "webhook" ? hideSeparators(target.success) : target.success
        targets.set(`${channel}+${canonical}`, { channel, target: canonical })
      }
    }
  }
  const [first, ...rest] = targets.values()
  if (first === undefined) return fail({ _tag: "MissingTarget" }, retry?.position ?? colon)
  const alarm: AlarmSubject = { severity, targets: [first, ...rest], retry: retry?.rule }
  // Percent-encoding lengthens a URL: the canonical form must fit, too.
  return format(alarm).length > maxSubjectLength
    ? fail({ _tag: "TooLong", limit: maxSubjectLength }, subject.length)
    : Result.succeed(alarm)
}

/** The canonical subject. `parse` reads the same alarm from it. */
export const format = (alarm: AlarmSubject): string => {
  const parts = alarm.targets.map(({ channel, target }) => `${channel.toUpperCase()}+${escapeTarget(channel, target)}`)
  if (alarm.retry !== undefined) parts.push(`RETRY:${alarm.retry.attempts}x${alarm.retry.pauseMinutes}m`)
  return `${alarm.severity}:${parts.join(";")}`
}

/** Forbidden control characters: C0 except tab, LF and CR; DEL; C1, which includes NEL (U+0085). */
const forbiddenControl = /[\0-\x08\v\f\x0e-\x1f\x7f-\x9f]/

const wordAlternatives = channels.toSorted((a, b) => b.length - a.length).join("|")
const keyword = new RegExp(String.raw`\s*(?:(${wordAlternatives})\s*\+|retry\s*:)\s*`, "iy")
const separator = new RegExp(String.raw`;(?=\s*(?:(?:${wordAlternatives})\s*\+|retry\s*:))`, "gi")

type Element =
  | {
      readonly _tag: "Target"
      readonly channel: Channel
      readonly position: number
      readonly value: string
      readonly valuePosition: number
    }
  | { readonly _tag: "Retry"; readonly position: number; readonly value: string; readonly valuePosition: number }
  /** `word` is the text before a `+`; undefined without one. */
  | { readonly _tag: "Stray"; readonly position: number; readonly text: string; readonly word: string | undefined }

function* elements(subject: string, from: number): Generator<Element> {
  for (let begin = from; begin <= subject.length;) {
    separator.lastIndex = begin
    const end = separator.exec(subject)?.index ?? subject.length
    yield* segment(subject, begin, end)
    begin = end + 1
  }
}

/** Elements between two separators: a target, and after a target that is no URL possibly stray words. */
function* segment(subject: string, begin: number, end: number): Generator<Element> {
  let position = begin
  while (position < end && /[\s;]/.test(subject.charAt(position))) position++
  if (position === end) return
  keyword.lastIndex = position
  const match = keyword.exec(subject)
  if (match === null) return yield stray(subject, position, end)
  const valuePosition = keyword.lastIndex
  let valueEnd = end
  while (valueEnd > valuePosition && /[\s;]/.test(subject.charAt(valueEnd - 1))) valueEnd--
  const channel = channels.find((known) => known === match[1]?.toLowerCase())
  if (channel === "webhook") {
    return yield { _tag: "Target", channel, position, value: subject.slice(valuePosition, valueEnd), valuePosition }
  }
  const semicolon = subject.indexOf(";", valuePosition)
  const cut = semicolon >= 0 && semicolon < valueEnd ? semicolon : valueEnd
  const value = subject.slice(valuePosition, cut).trim()
  yield channel === undefined
    ? { _tag: "Retry", position, value, valuePosition }
    : { _tag: "Target", channel, position, value, valuePosition }
  if (cut === valueEnd) return
  // Text follows this `;`; otherwise trimming would have removed it.
  let rest = cut
  while (/[\s;]/.test(subject.charAt(rest))) rest++
  yield stray(subject, rest, valueEnd)
}

const stray = (subject: string, position: number, end: number): Element => {
  const text = subject.slice(position, end)
  return { _tag: "Stray", position, text, word: /^[^\s;:+]+(?=\s*\+)/.exec(text)?.[0] }
}

const skipSpace = (text: string, from: number): number =>
  from + (text.length - from - text.slice(from).trimStart().length)

const parseRetry = (value: string): Result.Result<AlarmRetry, AlarmSubjectReason> => {
  const match = /^(\d+)\s*x\s*(\d+)\s*m$/i.exec(value)
  if (match === null) return Result.fail({ _tag: "InvalidRetry", text: excerpt(value) })
  const attempts = Number(match[1])
  const pauseMinutes = Number(match[2])
  if (attempts < 1 || attempts > maxAttempts) return Result.fail({ _tag: "AttemptsOutOfRange", limit: maxAttempts })
  if (pauseMinutes > maxPauseMinutes) return Result.fail({ _tag: "PauseOutOfRange", limit: maxPauseMinutes })
  return Result.succeed({ attempts, pauseMinutes })
}

/** A phone number drops its `+`, because the separator is one. */
const escapeTarget = (channel: Channel, target: string): string => {
  if (channel === "call" || channel === "sms") return target.replace(/^\+/, "")
  return channel === "webhook" ? hideSeparators(target) : target
}

/** Percent-encodes the semicolons of a URL that would end it in a subject. */
const hideSeparators = (url: string): string =>
  url.replace(separator, "%3B").replace(/;+$/, (end) => "%3B".repeat(end.length))
