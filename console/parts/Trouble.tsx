import { words } from "../lib/Language.ts"
import { listOf } from "../lib/ListOf.ts"
import type { Problem } from "../lib/Problem.ts"

const t = words({
  en: {
    unreachable: "The server does not answer. Try again in a moment.",
    again: "Try again",
    list: "To the list",
    forbidden: "You may not do this.",
    missing: () => "It does not exist, or no longer exists.",
    invalid: () => "The request is invalid."
  },
  de: {
    unreachable: "Der Server antwortet nicht. Versuchen Sie es gleich noch einmal.",
    again: "Noch einmal",
    list: "Zur Liste",
    forbidden: "Das dürfen Sie nicht.",
    missing: () => "Das gibt es nicht oder nicht mehr.",
    invalid: () => "Die Anfrage ist ungültig."
  }
})

/** Text of an answer. The title alone says little, so common states have a sentence of their own. */
const textOf = ({ fields, message, status }: Problem): string => {
  if (status === 0) return t().unreachable
  if (status === 403) return t().forbidden
  // Reasons of other programs are parts of sentences.
  if (fields["title"] !== message) return message.charAt(0).toUpperCase() + message.slice(1)
  return status === 404 ? t().missing() : status === 422 ? t().invalid() : message
}

/**
 * Shows an error with the server's text, and a button to retry. A page whose object is gone links to the list instead.
 */
export const Trouble = ({ again, problem }: { readonly problem: Problem | undefined; readonly again?: () => void }) => {
  if (problem === undefined) return null
  const list = problem.status === 404 && again !== undefined ? listOf(location.pathname) : undefined
  return (
    <div class="trouble" role="alert">
      <p>{textOf(problem)}</p>
      {list !== undefined ? (
        <a href={list}>{t().list}</a>
      ) : again === undefined ? null : (
        <button type="button" onClick={again}>
          {t().again}
        </button>
      )}
    </div>
  )
}
