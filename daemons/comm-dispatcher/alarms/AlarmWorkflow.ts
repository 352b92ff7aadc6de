/** The workflow of alarms and direct requests. Source of its steps: interface document 1 §3. */
import { alarmReceived } from "#core/contracts/Alarm.ts"
import { alarmName, type Workflow } from "../runs/Exports.ts"

/** Step that queues the deliveries and ends with the last target. Runs of direct requests begin with it. */
export const dispatchActions = "comm.dispatch_actions"

export const alarmWorkflow: Workflow = {
  name: alarmName,
  title: "Serve every target that an alarm or a direct request names",
  on: alarmReceived,
  steps: [{ name: "email.parse_subject" }, { name: dispatchActions }, { name: "comm.log_result", always: true }]
}
