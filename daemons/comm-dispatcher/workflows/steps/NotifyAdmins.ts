/**
 * Step that notifies every admin of the run's tenant. The notification is requested in the transaction that records the
 * step.
 */
import { Effect } from "effect"
import { type NotificationContent, NotificationWanted } from "#core/contracts/Notifications.ts"
import { Jobs } from "#core/jobs/Jobs.ts"
import { inEveryLanguage } from "#core/words/ChooseLanguage.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"
import type { StepRun, WorkflowStep } from "../engine/EventWorkflow.ts"

/** Both functions are pure. `timesOf`: moments that the texts name (`times` of `NotificationWanted`); default: none. */
export const notifyAdmins = <A>(
  contentOf: (run: StepRun<A>) => NotificationContent,
  timesOf: (run: StepRun<A>) => ReadonlyArray<string> = () => []
): WorkflowStep<A> => ({
  name: "notify.admins",
  run: (run) =>
    Effect.succeed({
      record: Effect.as(
        ask(run.key, run.tenantId, run.language, (language) => contentOf({ ...run, language }), timesOf(run)),
        `asked for, to the admins of tenant ${run.tenantId}`
      )
    })
})

/**
 * Requests a notification, once per key, in the language of each reader. `language`: of what all readers share. Pure
 * `contentOf`.
 */
export const ask = (
  key: string,
  tenantId: number,
  language: LanguageCode,
  contentOf: (language: LanguageCode) => NotificationContent,
  times: ReadonlyArray<string> = []
) =>
  Effect.flatMap(Jobs, (jobs) => {
    const worded = (language: LanguageCode) => {
      const { body, title } = contentOf(language)
      return { title, body }
    }
    const to = { tenant_admins: tenantId }
    const words = inEveryLanguage(worded)
    return jobs.send(NotificationWanted, [
      { key, data: { key: `workflow:${key}`, to, content: contentOf(language), words, times } }
    ])
  })
