/** What the other features may use of zones. */
export { awaitOutcome, outcomeFor } from "./Outcomes.ts"
export { OutcomeView, outcomeView } from "./OutcomeView.ts"
