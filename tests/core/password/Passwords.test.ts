import { it } from "@effect/vitest"
import { Effect, Fiber, Logger, Redacted, References } from "effect"
import { argon2, randomBytes } from "node:crypto"
import { setImmediate } from "node:timers/promises"
import { promisify } from "node:util"
import { expect } from "vitest"
import { encode, needsRehash, parse, presentParameters } from "#core/password/PasswordHash.ts"
import * as Passwords from "#core/password/Passwords.ts"

const cheap = (memory: number) => Effect.provideService(Passwords.Argon2Cost, { memory, passes: 1, parallelism: 1 })
const secret = Redacted.make("correct horse battery staple")

it.live("verifies the hashed password and no other", () =>
  Effect.gen(function* () {
    const passwords = yield* Passwords.Passwords
    const stored = yield* passwords.hash(secret)
    expect(parse(stored)?.parameters).toEqual(presentParameters)
    expect(needsRehash(stored, presentParameters)).toBe(false)
    expect(yield* passwords.hash(secret)).not.toBe(stored)
    expect(yield* passwords.verify(secret, stored)).toBe(true)
    expect(yield* passwords.verify(Redacted.make("correct horse battery stapler"), stored)).toBe(false)
    expect(yield* passwords.verify(Redacted.make(""), stored)).toBe(false)
    expect(yield* passwords.verify(secret, undefined)).toBe(false)
  }).pipe(Effect.provide(Passwords.layer))
)

it.live("verifies hashes of other parameters, lengths and spellings", () =>
  Effect.gen(function* () {
    const passwords = yield* Passwords.make().pipe(cheap(64))
    // Output of the reference implementation for password `password`: argon2 somesalt -id -t 2 -k 65536 -p 1.
    const reference = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
    expect(yield* passwords.verify(Redacted.make("password"), reference)).toBe(true)
    expect(yield* passwords.verify(Redacted.make("Password"), reference)).toBe(false)
    const stored = yield* passwords.hash(Redacted.make("cafe\u0301 au lait"))
    expect(yield* passwords.verify(Redacted.make("caf\u00e9\u00a0au lait"), stored)).toBe(true)
  })
)

it.live("an unreadable hash admits nobody, and the log contains neither hash nor password", () => {
  const lines: Array<string> = []
  const logger = Logger.make<unknown, void>((entry) => void lines.push(JSON.stringify([entry.message, entry.cause])))
  return Effect.gen(function* () {
    const passwords = yield* Passwords.make().pipe(cheap(64))
    const huge = encode({
      parameters: { memory: 4_194_304, passes: 9, parallelism: 1 },
      salt: randomBytes(16),
      hash: randomBytes(32)
    })
    for (const stored of ["", "plain words", huge]) expect(yield* passwords.verify(secret, stored)).toBe(false)
    expect(lines).toHaveLength(3)
    expect(lines.join()).not.toMatch(/horse|plain|argon2/)
  }).pipe(Effect.provide(Logger.layer([logger])), Effect.provideService(References.MinimumLogLevel, "All"))
})

const median = (times: Array<number>) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)]!

it.live(
  "takes the same time with and without a stored hash",
  () =>
    Effect.gen(function* () {
      const passwords = yield* Passwords.make().pipe(cheap(2_048))
      const stored = yield* passwords.hash(secret)
      const wrong = Redacted.make("some other words")
      const timed = Effect.fnUntraced(function* (against: string | undefined, times: Array<number>) {
        const start = performance.now()
        expect(yield* passwords.verify(wrong, against)).toBe(false)
        times.push(performance.now() - start)
      })
      // Other load may disturb single series. A code path that skips the hashing would disturb all of them.
      const ratios: Array<number> = []
      while (ratios.length < 20 && Math.abs((ratios.at(-1) ?? 2) - 1) > 0.05) {
        const known: Array<number> = []
        const unknown: Array<number> = []
        for (let round = 0; round < 150; round++) {
          const pair = [
            [stored, known],
            [undefined, unknown]
          ] as const
          for (const [against, times] of round % 2 === 0 ? pair : pair.toReversed()) yield* timed(against, times)
        }
        ratios.push(median(unknown) / median(known))
      }
      expect(Math.abs(ratios.at(-1)! - 1), `ratios of the medians: ${ratios}`).toBeLessThanOrEqual(0.05)
    }),
  180_000
)

it.live(
  "leaves the event loop and the verification of tokens free while hashes wait",
  () =>
    Effect.gen(function* () {
      const passwords = yield* Passwords.make()
      yield* passwords.hash(secret)
      const key = yield* Effect.promise(() =>
        crypto.subtle.generateKey({ name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"])
      )
      const data = new Uint8Array(100)
      const signature = yield* Effect.promise(() => crypto.subtle.sign("HMAC", key, data))
      /**
       * Runs eight hashes at once. Returns the largest number of hashes that finished before a verification started
       * meanwhile, and the turns of the event loop.
       */
      const beside = Effect.fnUntraced(function* (hash: Effect.Effect<unknown, unknown>) {
        let ended = 0
        const fiber = yield* Effect.forkChild(
          Effect.forEach(Array.from({ length: 8 }), () => Effect.tap(hash, () => Effect.sync(() => ended++)), {
            concurrency: "unbounded"
          }),
          { startImmediately: true }
        )
        let turns = 0
        const turning = (async () => {
          for (; ended < 8; turns++) await setImmediate()
        })()
        let overtaking = 0
        while (ended < 8) {
          const before = ended
          expect(yield* Effect.promise(() => crypto.subtle.verify("HMAC", key, signature, data))).toBe(true)
          overtaking = Math.max(overtaking, ended - before)
        }
        yield* Effect.promise(() => turning)
        yield* Fiber.join(fiber)
        return { overtaking, turns }
      })
      // Other load may disturb single rounds. Hashes on libuv's threads would disturb all of them.
      const ours = yield* Effect.repeat(beside(passwords.hash(secret)), {
        until: ({ overtaking, turns }) => overtaking <= 2 && turns > 80,
        times: 9
      })
      // For comparison: the same hashes on libuv's threads, where a verification must wait behind them.
      const { memory, parallelism, passes } = presentParameters
      const nonce = randomBytes(16)
      const libuv = yield* beside(
        Effect.promise(() =>
          promisify(argon2)("argon2id", { message: "words", nonce, memory, parallelism, passes, tagLength: 32 })
        )
      )
      expect(libuv.overtaking).toBeGreaterThanOrEqual(4)
      expect(ours.overtaking).toBeLessThanOrEqual(2)
      expect(ours.turns).toBeGreaterThan(80)
    }),
  120_000
)
