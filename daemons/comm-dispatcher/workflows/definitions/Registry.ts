import { accountChanged } from "./AccountChanged.ts"
import { alarmNotDelivered } from "./AlarmNotDelivered.ts"
import { bankFetchFailed } from "./BankFetchFailed.ts"
import { bansAdded } from "./BansAdded.ts"
import type { EventWorkflow } from "../engine/EventWorkflow.ts"
import { supportRequested } from "./SupportRequested.ts"

/** All workflows that events begin. A new workflow is a file in this folder and a line here. */
export const eventWorkflows: ReadonlyArray<EventWorkflow> = [
  accountChanged,
  alarmNotDelivered,
  bankFetchFailed,
  bansAdded,
  supportRequested
]
