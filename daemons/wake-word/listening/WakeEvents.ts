/** Stores wakes as events. The socket has told its client before; a database that is away delays only the event. */
import { Duration, Effect, Latch } from "effect"
import { WakeWordDetected } from "#core/contracts/WakeWord.ts"
import { Events } from "#core/events/Events.ts"
import { transaction } from "#core/sql/Sql.ts"
import { Actor } from "#core/supervision/Supervisor.ts"

/** Wakes that wait for the database. Reason: a minute of 30 wakes a second; later ones are counted and dropped. */
const maxWaiting = 2_000

/** Events of one statement. */
const maxBatch = 100

/** Pause between two statements. Reason: hundreds of clients may wake one after the other, and audio comes first. */
const pause = Duration.millis(250)

/** Longest wait without progress. */
const lookInterval = Duration.seconds(20)

interface Heard {
  readonly tenantId: number
  readonly data: (typeof WakeWordDetected.data)["Type"]
}

export const make = () => {
  const waiting: Array<Heard> = []
  const bell = Latch.makeUnsafe(false)
  let dropped = 0
  return {
    add: (heard: Heard): void => {
      if (waiting.length < maxWaiting) waiting.push(heard)
      else dropped += 1
      Latch.openUnsafe(bell)
    },
    /** Wakes without event. */
    dropped: () => dropped,
    actor: {
      name: "wake word events",
      run: Effect.gen(function* () {
        const actor = yield* Actor
        const events = yield* Events
        while (true) {
          yield* actor.progress
          if (waiting.length === 0) {
            Latch.closeUnsafe(bell)
            yield* bell.await.pipe(Effect.timeoutOption(lookInterval))
            continue
          }
          const batch = waiting.slice(0, maxBatch)
          yield* transaction(
            events.emitAll(
              WakeWordDetected,
              "wake-word",
              batch.map(({ data, tenantId }) => ({ data, audience: { tenantId } }))
            )
          )
          waiting.splice(0, batch.length)
          yield* Effect.sleep(pause)
        }
      })
    }
  }
}
