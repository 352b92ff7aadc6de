/** What other features use of alarms. */
export { alarmServices } from "./Services.ts"
export * as Ledger from "./ledger/Ledger.ts"
export { alarmWorkflow, linkOf, RunState, RunSummary, RunView, type Step } from "./ledger/Ledger.ts"
export { acknowledge } from "./run/AcknowledgeRun.ts"
export type { Finished } from "./run/FinishRun.ts"
export { Results } from "./run/ResultCache.ts"
export { noteAcknowledged, noteMade } from "./run/RunAudit.ts"
export { Workflow } from "./run/StartRun.ts"
