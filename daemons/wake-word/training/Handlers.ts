import { Effect } from "effect"
import { Caller, inScope, nameOf } from "#core/auth/Caller.ts"
import { settings } from "#core/config/Environment.ts"
import * as Handlers from "#core/http/Handlers.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { defaultPage } from "#core/http/Paging.ts"
import { NotConfigured, orUnavailable } from "#core/http/Problem.ts"
import { languageFor } from "#core/words/InLanguage.ts"
import { inTenantOf, normalWord, tenantFor } from "../vocabulary/Exports.ts"
import { TrainingApi, TrainingView } from "./Api.ts"
import { LanguageUnknown } from "./Errors.ts"
import * as Languages from "./Languages.ts"
import * as Store from "./Store.ts"
import { trainingSettings } from "./TrainingSettings.ts"

/** Seed of a training that names none. */
const usualSeed = 1

const noVoice = new NotConfigured({
  detail: "espeak-ng, which speaks the word for a training, is not installed: apt install espeak-ng",
  settings: []
})

export const training = Handlers.group(
  TrainingApi,
  "wakewordTraining",
  Effect.fn(function* (handlers) {
    const { maxOpen } = yield* settings(trainingSettings)
    const languages = yield* Languages.make

    return handlers.handleAll({
      train: Effect.fnUntraced(function* ({ headers, payload }) {
        const actor = nameOf(yield* Caller)
        const tenant = yield* tenantFor(payload.tenant_id)
        const wanted = payload.language ?? (yield* languageFor(undefined))
        const spoken = yield* languages
        if (spoken.length === 0) return yield* noVoice
        if (!spoken.some(({ language }) => language === wanted))
          return yield* new LanguageUnknown({
            detail: `No voice speaks ${wanted}.`,
            languages: spoken.map(({ language }) => language)
          })
        return yield* orUnavailable(
          Idempotency.once({
            key: headers["idempotency-key"],
            endpoint: "wakeword.train",
            body: { ...payload, language: wanted },
            response: TrainingView,
            create: Effect.map(
              Store.add(
                tenant,
                {
                  word: normalWord(payload.word),
                  language: wanted,
                  name: payload.name,
                  seed: payload.seed ?? usualSeed,
                  size: payload.size ?? "full",
                  useUploads: payload.use_uploads ?? true
                },
                maxOpen,
                actor
              ),
              Store.view
            )
          })
        )
      }),
      list: Effect.fnUntraced(function* ({ query: { before, limit = defaultPage, state, tenant_id } }) {
        const rows = yield* orUnavailable(
          inTenantOf(tenant_id, (tenant) => Store.list(tenant, state, before, limit + 1))
        )
        const items = rows.slice(0, limit)
        return { items: items.map(Store.view), next_before: rows.length > limit ? items.at(-1)!.seq : null }
      }),
      show: ({ params: { job_id } }) => orUnavailable(Effect.map(inScope(Store.get(job_id)), Store.view)),
      cancel: Effect.fnUntraced(function* ({ params: { job_id } }) {
        const actor = nameOf(yield* Caller)
        return Store.view(yield* orUnavailable(inScope(Store.cancel(job_id, actor))))
      }),
      languages: () => languages
    })
  })
)
