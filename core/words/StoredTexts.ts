/**
 * Keeps the memory of texts (TextMemory.ts) equal to the database: a language or text that the daemon localization
 * stores holds in every process within a second. Without the database, or without that daemon, texts stay as they were.
 */
import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Wake } from "../events/Wake.ts"
import * as Projection from "../lane/Projection.ts"
import { forgetAll, type LanguageRow, putLanguages, putTexts, type TextRow } from "./TextMemory.ts"

/** Topic that a change of `core.text_language` or `core.written_text` announces. */
export const sharedTextTopic = "texts of people"

/**
 * Longest time between two comparisons without an announcement. Unit: seconds. Reason: an announcement is lost only
 * with its connection, after which all waiters are woken.
 */
const pollInterval = Duration.seconds(30)

/** Interval of attempts until the first comparison. Unit: seconds. */
const firstInterval = Duration.seconds(1)

export const layer: Layer.Layer<never, never, SqlClient.SqlClient | Wake> = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const wake = yield* Wake
    forgetAll()
    const projection = yield* Projection.make({
      name: "texts of people",
      topic: sharedTextTopic,
      sources: {
        languages: {
          changed: (since) => sql`select code, label, removed from core.text_language
            where ${Projection.after(sql, since)}`,
          apply: (rows: ReadonlyArray<LanguageRow>) => putLanguages(rows)
        },
        texts: {
          changed: (since) => sql`select locale, key, value from core.written_text
            where ${Projection.after(sql, since)}`,
          apply: (rows: ReadonlyArray<TextRow>) => putTexts(rows)
        }
      }
    })
    // Subscribed before the first comparison, so no change is missed between the two.
    const wakeup = yield* wake.subscribe(sharedTextTopic)
    yield* Effect.ignore(projection.refresh)
    // Not an actor: this loop cannot fail.
    yield* Effect.forkScoped(
      Effect.forever(
        Effect.suspend(() =>
          Effect.andThen(
            wakeup.wait(Number.isFinite(projection.age()) ? pollInterval : firstInterval),
            Projection.untilCompared(projection)
          )
        )
      )
    )
  })
)
