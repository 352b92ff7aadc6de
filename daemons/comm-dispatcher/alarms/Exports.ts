/** Exports of the feature alarms for other features. */
export { alarmWorkflow } from "./AlarmWorkflow.ts"
export { alarmServices } from "./Services.ts"
export { acknowledgeRun } from "./run/AcknowledgeRun.ts"
export type { Finished } from "./run/FinishRun.ts"
export { ResultCache } from "./run/ResultCache.ts"
export { noteAcknowledged, noteMade } from "./run/RunAudit.ts"
export { StartRun } from "./run/StartRun.ts"
export { subjectForm } from "./reply/Reply.ts"
