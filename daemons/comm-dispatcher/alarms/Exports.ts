/** Exports of the feature alarms for other features. */
export { alarmServices } from "./Services.ts"
export * as Ledger from "./ledger/Ledger.ts"
export { alarmWorkflow, linkOf, RunState, RunSummary, RunView, type Step } from "./ledger/Ledger.ts"
export { acknowledgeRun } from "./run/AcknowledgeRun.ts"
export type { Finished } from "./run/FinishRun.ts"
export { ResultCache } from "./run/ResultCache.ts"
export { noteAcknowledged, noteMade } from "./run/RunAudit.ts"
export { StartRun } from "./run/StartRun.ts"
