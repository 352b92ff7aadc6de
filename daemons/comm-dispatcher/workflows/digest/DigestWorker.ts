/** Sends the count at the end of an hour. The notification and the row's new hour are committed with the job. */
import { Effect } from "effect"
import { type ClaimedJob, Jobs, keyedId } from "#core/jobs/Jobs.ts"
import { transaction } from "#core/sql/Sql.ts"
import * as Digest from "./Digest.ts"
import type { EventWorkflow } from "../engine/EventWorkflow.ts"
import { ask } from "../steps/NotifyAdmins.ts"

export const digestWorker = (workflows: ReadonlyArray<EventWorkflow>) =>
  Effect.gen(function* () {
    const handle = ({ complete, data }: ClaimedJob<typeof Digest.DigestDue.data.Type>) =>
      transaction(
        Effect.gen(function* () {
          const count = yield* Digest.take(data)
          const words = workflows.find(({ name }) => name === data.workflow)?.digest
          if (count > 0 && words !== undefined) {
            yield* ask(
              keyedId("digest", `${data.tenant_id} ${data.workflow} ${data.told_at} ${data.key}`),
              data.tenant_id,
              data.language,
              (language) => words(data.key, count, language)
            )
          }
          yield* complete
        })
      )
    yield* Jobs.worker({ type: Digest.DigestDue, handle })
  })
