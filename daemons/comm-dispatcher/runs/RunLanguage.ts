/** A run in the reader's language. Words of other parties stay as they were said. Pure. */
import { sentenceIn } from "#core/words/Sentences.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"
import "./OutcomeTexts.ts"
import type { RunView } from "./RunViews.ts"

/** A reason or detail of an attempt, a target or a step. */
export const outcomeIn = (language: LanguageCode, text: string): string => sentenceIn(language, text) ?? text

export const runIn = (language: LanguageCode, run: RunView): RunView => {
  if (language === "en") return run
  const said = (text: string | null) => (text === null ? null : outcomeIn(language, text))
  return {
    ...run,
    reason: said(run.reason),
    steps: run.steps.map((step) =>
      step.detail === undefined ? step : { ...step, detail: outcomeIn(language, step.detail) }
    ),
    targets: run.targets.map((target) => ({
      ...target,
      reason: said(target.reason),
      attempts: target.attempts.map((attempt) => ({ ...attempt, detail: said(attempt.detail) }))
    }))
  }
}
