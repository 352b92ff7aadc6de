import { words } from "../lib/Language.ts"
import type { Problem } from "../lib/Problem.ts"

const t = words({
  en: {
    unreachable: "The server does not answer. It is tried again when you ask.",
    again: "Try again",
    forbidden: "You may not do this."
  },
  de: {
    unreachable: "Der Server antwortet nicht. Auf Wunsch wird es noch einmal versucht.",
    again: "Noch einmal",
    forbidden: "Das dürfen Sie nicht."
  }
})

/** Shows an error with the server's text, and a button to retry. */
export const Trouble = ({ again, problem }: { readonly problem: Problem | undefined; readonly again?: () => void }) =>
  problem === undefined ? null : (
    <div class="trouble" role="alert">
      <p>{problem.status === 0 ? t().unreachable : problem.status === 403 ? t().forbidden : problem.message}</p>
      {again === undefined ? null : (
        <button type="button" onClick={again}>
          {t().again}
        </button>
      )}
    </div>
  )
