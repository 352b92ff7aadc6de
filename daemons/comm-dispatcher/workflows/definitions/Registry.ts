import { accountChanged } from "./AccountChanged.ts"
import { alarmNotDelivered } from "./AlarmNotDelivered.ts"
import { bansAdded } from "./BansAdded.ts"
import type { EventWorkflow } from "../engine/EventWorkflow.ts"
import { supportRequested } from "./SupportRequested.ts"

/** Every workflow that an event begins. A new one is a file beside these and a line here. */
export const eventWorkflows: ReadonlyArray<EventWorkflow> = [
  accountChanged,
  alarmNotDelivered,
  bansAdded,
  supportRequested
]
