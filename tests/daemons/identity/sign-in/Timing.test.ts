import { expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { presentParameters } from "#core/password/PasswordHash.ts"
import * as Passwords from "#core/password/Passwords.ts"
import { password, signInSuite } from "../SignInSuite.ts"

/** Sign-ins of each kind per round. */
const perRound = 30

/** Largest relative difference of the undisturbed durations. Source: the requirement for this feature. */
const allowed = 0.05

/**
 * Largest number of rounds, evaluated together. Reason: other load on the machine averages out, but our own differences
 * remain.
 */
const maxRounds = 10

/** Difference that other load cannot explain after two rounds. */
const hopeless = 0.4

/** Duration of a sign-in without disturbance: the lowest tenth. Other load on the machine only adds time. */
const undisturbed = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 10)]!

it.live(
  "an unknown user takes as long as a wrong password",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { account, login } = yield* signInSuite({
          argon2Cost: presentParameters,
          env: { AUTH_RATE_LIMIT_MAX: "10000" }
        })
        const hash = yield* Effect.flatMap(Passwords.make(), (passwords) => passwords.hash(Redacted.make(password)))
        const { email } = yield* account({ hash })
        const timed = (address: string) =>
          Effect.gen(function* () {
            const begun = performance.now()
            expect((yield* login(address, "wrong password")).status).toBe(401)
            return performance.now() - begun
          })
        for (let n = 0; n < 5; n++) yield* Effect.andThen(timed(email), timed("nobody@example.org"))
        const known: Array<number> = []
        const unknown: Array<number> = []
        const seen: Array<number> = []
        while (seen.length < maxRounds) {
          for (let n = 0; n < perRound; n++) {
            // The order alternates, so that neither kind always comes second.
            for (const times of n % 2 === 0 ? [known, unknown] : [unknown, known]) {
              times.push(yield* timed(times === known ? email : `nobody${n}@example.org`))
            }
          }
          const apart = Math.abs(1 - undisturbed(unknown) / undisturbed(known))
          seen.push(apart)
          if (apart <= allowed) return
          if (seen.length >= 2 && apart > hopeless) break
        }
        expect.fail(`apart by ${seen.map((apart) => `${(apart * 100).toFixed(1)} %`).join(", ")}`)
      })
    ),
  180_000
)
