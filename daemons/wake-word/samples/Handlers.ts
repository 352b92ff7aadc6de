import { Effect, Result } from "effect"
import { Caller, nameOf } from "#core/auth/Caller.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import { writeWav } from "#core/speech/WavFile.ts"
import { sampleRate } from "#protocols/wake-word/Shape.ts"
import { inTenantOf, normalWord, tenantFor } from "../vocabulary/Exports.ts"
import { SamplesApi } from "./Api.ts"
import { FilesRefused } from "./Errors.ts"
import * as Store from "./Store.ts"
import { readForm, recordingOf } from "./UploadForm.ts"

export const samples = Handlers.group(SamplesApi, "wakewordSamples", (handlers) =>
  handlers.handleAll({
    upload: Effect.fnUntraced(function* ({ payload, query: { tenant_id } }) {
      const actor = nameOf(yield* Caller)
      yield* tenantFor(tenant_id)
      const { files, speaker, word } = yield* readForm(payload)
      // One file takes milliseconds; other requests are served in between.
      const read = yield* Effect.forEach(files, (file) =>
        Effect.andThen(
          Effect.yieldNow,
          Effect.sync(() => recordingOf(file))
        )
      )
      const refused = read.filter(Result.isFailure).map(({ failure }) => failure)
      const usable = read.filter(Result.isSuccess).map(({ success }) => success)
      if (usable.length === 0) return yield* new FilesRefused({ detail: "No file can be used.", refused })
      const { known, stored } = yield* orUnavailable(
        inTenantOf(tenant_id, (tenant) => Store.add(tenant, word, speaker, actor, usable))
      )
      const twice = known.map((name) => ({ name, reason: "the same recording is there already" }))
      if (stored.length === 0)
        return yield* new FilesRefused({ detail: "No file can be used.", refused: [...refused, ...twice] })
      return { items: stored.map(Store.view), refused: [...refused, ...twice] }
    }),
    list: Effect.fnUntraced(function* ({ query: { after, limit = defaultPage, tenant_id } }) {
      const from = after === undefined ? undefined : normalWord(after)
      const found = yield* orUnavailable(inTenantOf(tenant_id, (tenant) => Store.words(tenant, from, limit + 1)))
      const items = found.slice(0, limit)
      return {
        items: items.map(({ newest_at, samples, ...row }) => ({
          ...row,
          newest_at: newest_at.toISOString(),
          samples: samples.map(Store.view)
        })),
        next_after: found.length > limit ? items.at(-1)!.word : null
      }
    }),
    ofWord: Effect.fnUntraced(function* ({ params: { word }, query: { before, limit = defaultPage, tenant_id } }) {
      const found = yield* orUnavailable(
        inTenantOf(tenant_id, (tenant) => Store.ofWord(tenant, normalWord(word), before, limit + 1))
      )
      return paged(found.map(Store.view), limit)
    }),
    audio: ({ params: { id, word }, query: { tenant_id } }) =>
      orUnavailable(
        Effect.map(
          inTenantOf(tenant_id, (tenant) => Store.audio(tenant, normalWord(word), id)),
          (audio) => new Uint8Array(writeWav(audio, sampleRate))
        )
      ),
    removeWord: Effect.fnUntraced(function* ({ params: { word }, query: { tenant_id } }) {
      const actor = nameOf(yield* Caller)
      const deleted = yield* orUnavailable(
        inTenantOf(tenant_id, (tenant) => Store.remove(tenant, normalWord(word), undefined, actor))
      )
      return { deleted }
    }),
    remove: Effect.fnUntraced(function* ({ params: { id, word }, query: { tenant_id } }) {
      const actor = nameOf(yield* Caller)
      yield* orUnavailable(inTenantOf(tenant_id, (tenant) => Store.remove(tenant, normalWord(word), id, actor)))
    })
  })
)
