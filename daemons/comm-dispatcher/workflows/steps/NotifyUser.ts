/**
 * Step that notifies one user in the user's language. The notification is requested in the transaction that records the
 * step.
 */
import { languageOfAccount } from "#core/words/ChooseLanguage.ts"
import { Effect } from "effect"
import { type NotificationContent, NotificationWanted } from "#core/contracts/Notifications.ts"
import { Jobs } from "#core/jobs/Jobs.ts"
import { Members } from "../../notifications/Exports.ts"
import type { StepRun, WorkflowStep } from "../engine/EventWorkflow.ts"

/** Both functions are pure. An unknown user is notified in the installation's language. */
export const notifyUser = <A>(
  userOf: (data: A) => number,
  contentOf: (run: StepRun<A>) => NotificationContent
): WorkflowStep<A> => ({
  name: "notify.user",
  run: (run) => {
    const user_id = userOf(run.event.data)
    return Effect.succeed({
      record: Effect.gen(function* () {
        const jobs = yield* Jobs
        const [reader] = yield* Members.recipients({ user_id })
        const language = reader === undefined ? run.language : languageOfAccount(reader.locale)
        const content = contentOf({ ...run, language })
        yield* jobs.send(NotificationWanted, [
          { key: run.key, data: { key: `workflow:${run.key}`, to: { user_id }, content } }
        ])
        return `asked for, to user ${user_id}`
      })
    })
  }
})
