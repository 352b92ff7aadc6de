/**
 * Step that notifies every admin of the run's tenant. The notification is requested in the transaction that records the
 * step.
 */
import { Effect } from "effect"
import { type NotificationContent, NotificationWanted } from "#core/contracts/Notifications.ts"
import { Jobs } from "#core/jobs/Jobs.ts"
import type { StepRun, WorkflowStep } from "../engine/EventWorkflow.ts"

/** `contentOf` is pure. */
export const notifyAdmins = <A>(contentOf: (run: StepRun<A>) => NotificationContent): WorkflowStep<A> => ({
  name: "notify.admins",
  run: (run) =>
    Effect.succeed({
      record: Effect.as(
        ask(run.key, run.tenantId, contentOf(run)),
        `asked for, to the admins of tenant ${run.tenantId}`
      )
    })
})

/** Requests a notification, once per key. */
export const ask = (key: string, tenantId: number, content: NotificationContent) =>
  Effect.flatMap(Jobs, (jobs) =>
    jobs.send(NotificationWanted, [{ key, data: { key: `workflow:${key}`, to: { tenant_admins: tenantId }, content } }])
  )
