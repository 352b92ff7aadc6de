import { Effect } from "effect"
import { Caller, holds, nameOf } from "#core/auth/Caller.ts"
import { retryAfter } from "#core/http/AnswerHeaders.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { offeredLanguageFor } from "#core/words/InLanguage.ts"
import { spokenIn } from "#core/words/Sentences.ts"
import * as RateLimit from "#core/limits/RateLimit.ts"
import { Prober } from "../checks/Exports.ts"
import { StatusFiles, type StoredRow, storedRows } from "../status-files/Exports.ts"
import { requester } from "../status/AdminChange.ts"
import { asProvider, onceAsProvider, providerOnly } from "../status/ProviderOnly.ts"
import { ComponentsApi, StoredComponentView } from "./Api.ts"
import * as ComponentChanges from "./ComponentChanges.ts"
import { TooManyTries } from "./Errors.ts"
import { withHostsOnly } from "./ShownChecks.ts"

/** Longest try. Unit: milliseconds. Reason: a person waits for it; a probe itself ends earlier. */
const longestTry = 15_000

/** Rate limit of tries by one caller. Reason: a person corrects a check a few times; more would scan other hosts. */
const tries = { burst: 20, perSecond: 1 / 6 }

/** Maximum number of callers whose tries are counted. Reason: bounds the memory; the oldest is forgotten first. */
const maxCounted = 1_000

export const adminComponents = Handlers.group(
  ComponentsApi,
  "adminComponents",
  Effect.fn(function* (handlers) {
    const files = yield* StatusFiles
    const prober = yield* Prober
    const limit = RateLimit.byKey(tries, maxCounted)
    const view = (row: StoredRow) =>
      ({ ...row, hidden: files.inFile(row.id) }) as unknown as typeof StoredComponentView.Type
    const declared = () => new Set(files.components().flatMap(({ id }) => (files.inFile(id) ? [id] : [])))

    return handlers.handleAll({
      list: Effect.fnUntraced(function* () {
        const rows = yield* asProvider(storedRows)
        return { items: (holds(yield* Caller, "system.manage") ? rows : rows.map(withHostsOnly)).map(view) }
      }),
      create: Effect.fnUntraced(function* ({ headers, payload }) {
        const by = yield* requester
        const { id, ...wanted } = payload
        const made = ComponentChanges.create(id, wanted, declared(), by)
        return yield* Effect.ensuring(
          onceAsProvider(
            headers["idempotency-key"],
            "components.create",
            payload,
            StoredComponentView,
            Effect.map(made, view)
          ),
          files.refresh
        )
      }),
      try: Effect.fnUntraced(function* ({ payload: { checks } }) {
        yield* providerOnly
        const wait = limit.take(nameOf(yield* Caller), Date.now())
        if (wait > 0)
          return yield* Effect.andThen(
            retryAfter(wait),
            Effect.fail(new TooManyTries({ detail: "Checks were tried many times." }))
          )
        const component = yield* ComponentChanges.decoded(checks)
        const language = yield* offeredLanguageFor(undefined)
        const results = yield* prober.probe(component, performance.now() + longestTry)
        return { results: results.map(({ detail, ...one }) => ({ ...one, detail: spokenIn(language, detail) })) }
      }),
      change: Effect.fnUntraced(function* ({ params: { id }, payload }) {
        const by = yield* requester
        return view(yield* Effect.ensuring(asProvider(ComponentChanges.change(id, payload, by)), files.refresh))
      }),
      remove: Effect.fnUntraced(function* ({ params: { id } }) {
        const by = yield* requester
        yield* Effect.ensuring(asProvider(ComponentChanges.remove(id, files.inFile(id), by)), files.refresh)
      })
    })
  })
)
