/**
 * Step that notifies the admins of frequent events: the first at once, the others as a count at the end of the hour
 * (Digest).
 */
import { Effect } from "effect"
import type { NotificationContent } from "#core/contracts/Notifications.ts"
import * as Digest from "../digest/Digest.ts"
import type { Happened, StepRun, WorkflowStep } from "../engine/EventWorkflow.ts"
import { ask } from "./NotifyAdmins.ts"

/** `workflow`: name of the workflow whose `digest` words the count. Both functions are pure. */
export const notifyAdminsHourly = <A>(
  workflow: string,
  {
    contentOf,
    keyOf
  }: {
    /** Occurrences with the same key are counted together, per tenant. */
    readonly keyOf: (event: Happened<A>) => string
    /** Text of a notice that is sent at once. */
    readonly contentOf: (run: StepRun<A>) => NotificationContent
  }
): WorkflowStep<A> => ({
  name: "notify.admins_hourly",
  run: (run) =>
    Effect.succeed({
      record: Effect.gen(function* () {
        const { now, told_at } = yield* Digest.count(
          { tenant_id: run.tenantId, workflow, key: keyOf(run.event), language: run.language },
          run.hour
        )
        if (now) yield* ask(run.key, run.tenantId, run.language, (language) => contentOf({ ...run, language }))
        const end = new Date(told_at.getTime() + run.hour).toISOString()
        return now ? `asked for, to the admins of tenant ${run.tenantId}` : `told with others of its kind at ${end}`
      })
    })
})
