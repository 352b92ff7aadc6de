import { assert, describe, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { Bcrypt, fillersOf, isHashable, isOutdated, layer as bcrypt } from "#daemons/edge-auth/accounts/Bcrypt.ts"

/** Cost of our hashes. */
const cost = 12

describe("bcrypt", () => {
  layer(bcrypt, { excludeTestServices: true })((it) => {
    const verify = (password: string, stored: string | undefined) =>
      Effect.flatMap(Bcrypt, (service) => service.verify(Redacted.make(password), stored))

    it.effect(
      "hashes at cost 12, and verifies the password",
      () =>
        Effect.gen(function* () {
          const { hash } = yield* Bcrypt
          const stored = yield* hash(Redacted.make("correct horse ü"))
          assert.match(stored, /^\$2[aby]\$12\$/)
          assert.deepStrictEqual(
            [
              yield* verify("correct horse ü", stored),
              yield* verify("correct horse u", stored),
              yield* verify("", stored)
            ],
            [true, false, false]
          )
        }),
      120_000
    )

    it.effect(
      "verifies hashes of other programs, and refuses accounts without a hash",
      () =>
        Effect.gen(function* () {
          // A test vector of the crypt_blowfish package.
          assert.isTrue(yield* verify("U*U", "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"))
          // A cost above ours is accepted, and replaced at the next sign-in.
          const costly = "$2b$13$u6GChQ98XG36P.oZXcFaZ.hfoWzyahgdinvPUnqrPlbrXsmMFmfca"
          assert.deepStrictEqual([yield* verify("U*U", costly), isOutdated(costly, cost)], [true, true])
          assert.isFalse(yield* verify("U*U", undefined))
          assert.isFalse(yield* verify("U*U", "no hash at all"))
        }),
      120_000
    )

    it.effect(
      "refuses passwords longer than bcrypt's limit instead of truncating them",
      () =>
        Effect.gen(function* () {
          const { hash } = yield* Bcrypt
          const stored = yield* hash(Redacted.make("a".repeat(72)))
          assert.isTrue(yield* verify("a".repeat(72), stored))
          assert.isFalse(yield* verify("a".repeat(73), stored))
          assert.isFalse(yield* verify(`${"a".repeat(72)}\0`, stored))
          assert.deepStrictEqual(
            [isHashable("ü".repeat(36)), isHashable("ü".repeat(37)), isHashable("a\0")],
            [true, false, false]
          )
        }),
      120_000
    )

    it.effect("takes the same time for hashes of any cost", () =>
      Effect.sync(() => {
        const roundsOf = (hash: string) => 2 ** Number(hash.split("$")[2])
        for (const own of [4, 5, 10, 11, 12]) {
          const stored = `$2y$${String(own).padStart(2, "0")}$${"x".repeat(53)}`
          assert.strictEqual(
            [stored, ...fillersOf(stored, cost)].reduce((sum, hash) => sum + roundsOf(hash), 0),
            2 ** 12,
            String(own)
          )
        }
      })
    )
  })
})
