/** Why a rebuild failed, or does not get on. Pure. */
import type { LibreTranslateError, LibreTranslateReason } from "#protocols/libretranslate/LibreTranslateError.ts"

/** Codes for programs and for pages in other languages than English. */
export const problemCodes = [
  "not_configured",
  "not_reached",
  "no_answer",
  "slow_down",
  "forbidden",
  "refused",
  "failed",
  "unexpected_answer"
] as const

export interface RebuildProblem {
  readonly code: (typeof problemCodes)[number]
  /** English sentence with the detail. */
  readonly text: string
  /** Words of the network or of the server; null: none. */
  readonly detail: string | null
}

export const notConfigured: RebuildProblem = {
  code: "not_configured",
  text: "No translation server is configured (SIGNALBOX_TRANSLATE_URL).",
  detail: null
}

/** The problem that a failed call of the engine is. */
export const problemOf = ({ message, reason }: LibreTranslateError): RebuildProblem => ({
  code: codes[reason._tag],
  text: message,
  detail: detailOf(reason)
})

const codes = {
  NotReached: "not_reached",
  NoAnswer: "no_answer",
  SlowDown: "slow_down",
  Forbidden: "forbidden",
  Refused: "refused",
  Failed: "failed",
  NotItsAnswer: "unexpected_answer"
} as const satisfies Readonly<Record<LibreTranslateReason["_tag"], RebuildProblem["code"]>>

const detailOf = (reason: LibreTranslateReason): string | null => {
  switch (reason._tag) {
    case "NotReached":
    case "NoAnswer":
      return reason.detail
    case "SlowDown":
      return null
    case "NotItsAnswer":
      return `${reason.status}: ${reason.why}`
    default:
      return reason.message
  }
}
