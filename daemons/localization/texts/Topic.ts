/** Tells all processes of a change of languages or texts. */
import { Effect } from "effect"
import { Wake } from "#core/events/Wake.ts"
import { sharedTextTopic } from "#core/words/StoredTexts.ts"
import { share } from "./Shared.ts"

/** Topic that every change of languages and texts announces. */
export const textTopic = "localization texts"

/** Shares and announces a change in the surrounding transaction. */
export const announceTexts = Effect.gen(function* () {
  const wake = yield* Wake
  yield* share
  yield* wake.announce(textTopic)
  yield* wake.announce(sharedTextTopic)
})
