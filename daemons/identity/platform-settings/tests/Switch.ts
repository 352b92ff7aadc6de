/** Test of the settings of the telephone switch: signs in at its event socket and asks for its version. */
import { Context, Duration, Effect, Layer } from "effect"
import { missingOf, switchSettings } from "#core/config/SwitchSettings.ts"
import { EventSocket } from "#protocols/event-socket/EventSocket.ts"
import * as Line from "#protocols/event-socket/Line.ts"
import { reaching } from "./Reach.ts"
import { type Found, notSet, type TestResult, timed } from "./Result.ts"
import { said } from "./Texts.ts"
import type { Trial } from "./Trial.ts"

/** Time limit of the whole test. Reason: a person waits. */
const timeout = Duration.seconds(8)

/** Longest version that is shown. Unit: characters. */
const maxVersion = 120

/** Interval of looks at the connection. Unit: milliseconds. */
const lookInterval = Duration.millis(25)

export const testSwitch = ({ value }: Trial): Effect.Effect<ReadonlyArray<TestResult>> =>
  Effect.gen(function* () {
    const config = {
      switchHost: value(switchSettings.switchHost),
      switchPort: value(switchSettings.switchPort),
      switchPassword: value(switchSettings.switchPassword)
    }
    const { switchHost: host, switchPassword: password, switchPort: port } = config
    if (host === undefined || password === undefined) {
      const missing = missingOf(config)!
      return [yield* timed(missing, Effect.succeed(notSet(missing)))]
    }
    const look = Effect.gen(function* () {
      const socket = Context.get(yield* Layer.build(Line.layer({ host, port, password })), EventSocket)
      const version = Effect.gen(function* () {
        while (!(yield* socket.connected)) yield* Effect.sleep(lookInterval)
        const answer = (yield* socket.api("version"))
          .split("\n", 1)[0]!
          .replace(/[^\x20-\x7e]/g, "")
          .slice(0, maxVersion)
        return { ok: true, text: said((t) => t.switchAnswers({ version: answer })) } as Found
      })
      return yield* Effect.raceFirst(version, socket.keep)
    }).pipe(
      Effect.scoped,
      Effect.timeoutOrElse({
        duration: timeout,
        orElse: () => Effect.succeed<Found>({ ok: false, text: said((t) => t.switchSilent) })
      }),
      Effect.catch((error) =>
        Effect.succeed<Found>({ ok: false, text: said((t) => t.switchUnusable), detail: error.ownWords })
      )
    )
    return [yield* timed(`${host}:${port}`, reaching(host, look))]
  })
