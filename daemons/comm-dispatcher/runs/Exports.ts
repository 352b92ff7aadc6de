/** Exports of the feature runs for other features. */
export * as Ledger from "./Ledger.ts"
export type { NewRun, NewTarget, RunTrigger } from "./Ledger.ts"
export { runIdOf } from "./Ledger.ts"
export { outcomeIn, runIn } from "./RunLanguage.ts"
export * as RunViews from "./RunViews.ts"
export { linkOf, type RunSource, RunSummary, RunView, type TargetView } from "./RunViews.ts"
export * as StepPlan from "./StepPlan.ts"
export { alarmName, RunState, type Step, type StepDefinition, TargetState, type Workflow } from "./Workflow.ts"
