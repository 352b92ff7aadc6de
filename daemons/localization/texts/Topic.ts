/** Wakes all processes that hold texts in memory. */
import { Effect } from "effect"
import { Wake } from "#core/events/Wake.ts"

/** Topic that every change of languages and texts announces. */
export const textTopic = "localization texts"

/** Announces a change in the surrounding transaction. */
export const announceTexts = Effect.flatMap(Wake, (wake) => wake.announce(textTopic))
