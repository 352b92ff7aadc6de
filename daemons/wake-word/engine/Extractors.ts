/** The extractors of one thread: opens each at first use, and finds the one that a model was made with. */
import { Effect } from "effect"
import { nativeCalls } from "#core/supervision/NativeCalls.ts"
import type { Extractor } from "#protocols/wake-word/Extractor.ts"
import { type Head, openHead, readHeadFacts } from "#protocols/wake-word/HeadModel.ts"
import { openOpenWakeWord, openOwn } from "#protocols/wake-word/OpenExtractor.ts"
import { loadRuntime, type Runtime } from "#protocols/wake-word/Runtime.ts"
import { failure, type WakeWordError } from "#protocols/wake-word/WakeWordError.ts"
import type { ExtractorSource } from "./ExtractorSettings.ts"

export interface Extractors {
  readonly runtime: Runtime
  /** Extractor of new models. */
  readonly chosen: Effect.Effect<Extractor, WakeWordError>
  /** Loads a model with the extractor that it was made with. */
  readonly load: (
    model: Uint8Array
  ) => Effect.Effect<{ readonly head: Head; readonly extractor: Extractor }, WakeWordError>
}

/**
 * `calls`: memory for `endThread`. Fails with `RuntimeMissing`. Extractors that cannot be opened fail when they are
 * needed.
 */
export const open = Effect.fnUntraced(function* (
  source: ExtractorSource,
  calls: SharedArrayBuffer
): Effect.fn.Return<Extractors, WakeWordError> {
  const runtime = yield* loadRuntime(undefined, nativeCalls(calls))
  const own = yield* Effect.cached(openOwn(runtime))
  const foreign = yield* Effect.cached(
    Effect.suspend((): Effect.Effect<Extractor, WakeWordError> => {
      const { files } = source
      if (files === undefined) return Effect.fail(unusable("the folder of openWakeWord's files is not set"))
      return "problem" in files ? Effect.fail(unusable(files.problem)) : openOpenWakeWord(runtime, files)
    })
  )
  const chosen = source.chosen === "own" ? own : foreign
  return {
    runtime,
    chosen,
    load: Effect.fnUntraced(function* (model) {
      const facts = yield* Effect.fromResult(readHeadFacts(model))
      const extractor = yield* facts.extractor.startsWith("openwakeword") ? foreign : own
      return { head: yield* openHead(runtime, model, extractor.id), extractor }
    })
  }
})

const unusable = (why: string) => failure({ _tag: "BadModel", why })
