/** Exports of the feature statements for other features of the daemon. */
export { StoringFailed } from "./Errors.ts"
export { keepFiles, type KeptFile } from "./KeepFiles.ts"
export { FindingView, reconciliationStatuses, TransactionView } from "./Views.ts"
