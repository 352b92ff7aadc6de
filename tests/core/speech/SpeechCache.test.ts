import { execFileSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import { existsSync } from "node:fs"
import * as fs from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import type { Audio } from "#core/speech/Conversion.ts"
import * as SpeechCache from "#core/speech/SpeechCache.ts"
import { type SpeechError, speechError } from "#core/speech/SpeechError.ts"
import { scratchFolder } from "#support/peers/Loopback.ts"
import { tone } from "#support/SpeechDouble.ts"

const audio = (milliseconds: number): Audio => ({
  bytes: tone(milliseconds),
  facts: { durationMs: milliseconds, final: true }
})
const name = (letter: string) => `${letter.repeat(64)}.wav`
const never: Effect.Effect<Audio, SpeechError> = Effect.die("made although it is there")

const open = Effect.fnUntraced(function* (
  options: { readonly maxBytes?: number; readonly shared?: boolean; readonly directory?: string } = {}
) {
  const directory = options.directory ?? join(yield* scratchFolder("speech"), "cache")
  const cache = yield* SpeechCache.make({
    directory,
    maxBytes: options.maxBytes ?? 1_000_000,
    shared: options.shared ?? false
  })
  return { directory, cache }
})

describe("SpeechCache", () => {
  it.live("keeps a file over a restart, private unless the switch shares the folder", () =>
    Effect.gen(function* () {
      const { cache, directory } = yield* open()
      const made = yield* cache.through(name("a"), Effect.succeed(audio(200)))
      assert.deepStrictEqual(made, {
        name: name("a"),
        path: join(directory, name("a")),
        bytes: tone(200).length,
        durationMs: 200
      })
      const after = yield* open({ directory })
      assert.deepStrictEqual(yield* after.cache.through(name("a"), never), made)
      assert.strictEqual((yield* Effect.promise(() => fs.stat(made.path))).mode & 0o777, 0o600)
      assert.deepStrictEqual(yield* Effect.promise(() => fs.readdir(directory)), [name("a")])
      const shared = yield* open({ shared: true })
      const { path } = yield* shared.cache.through(name("a"), Effect.succeed(audio(200)))
      assert.strictEqual((yield* Effect.promise(() => fs.stat(path))).mode & 0o777, 0o644)
    }).pipe(Effect.scoped)
  )

  it.live("shares one synthesis among parallel callers, also when the first is interrupted", () =>
    Effect.gen(function* () {
      const { cache } = yield* open()
      const gate = yield* Deferred.make<void>()
      let made = 0
      const slow = Effect.andThen(
        Effect.sync(() => void made++),
        Effect.as(Deferred.await(gate), audio(100))
      )
      const first = yield* Effect.forkChild(cache.through(name("a"), slow))
      while (made === 0) yield* Effect.sleep(5)
      const others = yield* Effect.forEach(Array.from({ length: 20 }), () =>
        Effect.forkChild(cache.through(name("a"), slow))
      )
      yield* Effect.sleep(50)
      yield* Fiber.interrupt(first)
      yield* Deferred.succeed(gate, undefined)
      const files = yield* Effect.forEach(others, Fiber.join)
      assert.strictEqual(new Set(files.map(({ path }) => path)).size, 1)
      assert.strictEqual(made, 1)
    }).pipe(Effect.scoped)
  )

  it.live("may be shared: parallel writers of one file do not disturb each other", () =>
    Effect.gen(function* () {
      const { cache, directory } = yield* open()
      const others = yield* Effect.forEach(Array.from({ length: 5 }), () => open({ directory }))
      for (const letter of ["a", "b", "c", "d"]) {
        const files = yield* Effect.forEach(
          [cache, ...others.map((one) => one.cache)],
          (one) => one.through(name(letter), Effect.succeed(audio(200))),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(new Set(files.map(({ path }) => path)).size, 1)
      }
      assert.deepStrictEqual(
        (yield* Effect.promise(() => fs.readdir(directory))).sort(),
        ["a", "b", "c", "d"].map(name)
      )
    }).pipe(Effect.scoped)
  )

  it.live("does not cache failures", () =>
    Effect.gen(function* () {
      const { cache } = yield* open()
      const failing = Effect.fail(speechError({ _tag: "NotConfigured" }))
      assert.strictEqual((yield* Effect.flip(cache.through(name("a"), failing))).reason._tag, "NotConfigured")
      assert.strictEqual((yield* cache.through(name("a"), Effect.succeed(audio(100)))).durationMs, 100)
    }).pipe(Effect.scoped)
  )

  const damages: ReadonlyArray<readonly [string, (path: string) => Promise<unknown>]> = [
    ["cut", (path) => fs.truncate(path, 1_000)],
    ["empty", (path) => fs.truncate(path, 0)],
    ["overwritten", (path) => fs.writeFile(path, "<html>".padEnd(6_444))],
    ["gone", (path) => fs.rm(path)],
    [
      "a link to something else",
      async (path) => {
        await fs.rm(path)
        await fs.symlink("/etc/passwd", path)
      }
    ],
    [
      "a folder",
      async (path) => {
        await fs.rm(path)
        await fs.mkdir(path)
      }
    ]
  ]
  for (const [what, damage] of damages) {
    it.live(`makes a file anew that is ${what}, known or not`, () =>
      Effect.gen(function* () {
        const { cache, directory } = yield* open()
        const fresh = Effect.succeed(audio(200))
        const { path } = yield* cache.through(name("a"), fresh)
        for (const held of [cache, (yield* open({ directory })).cache]) {
          // File modification times have a resolution of some milliseconds.
          yield* Effect.sleep(20)
          yield* Effect.promise(() => damage(path))
          assert.isUndefined(yield* held.get(name("a")))
          assert.strictEqual((yield* held.through(name("a"), fresh)).durationMs, 200)
          assert.isTrue((yield* Effect.promise(() => fs.readFile(path))).equals(tone(200)))
        }
        assert.include(yield* Effect.promise(() => fs.readFile("/etc/passwd", "utf8")), "root")
      }).pipe(Effect.scoped)
    )
  }

  it.live(
    "stays below its limit: evicts its least recently used files, also after a restart, and no foreign file",
    () =>
      Effect.gen(function* () {
        const size = tone(1_000).length
        const { cache, directory } = yield* open({ maxBytes: size * 4 })
        yield* cache.through(name("a"), Effect.succeed(audio(1_000)))
        const foreign = join(directory, "notes.txt")
        yield* Effect.promise(() => fs.writeFile(foreign, "x".repeat(size * 5)))
        const half = join(directory, `.${name("e")}.${randomUUID()}.tmp`)
        yield* Effect.promise(() => fs.writeFile(half, "half"))
        yield* Effect.promise(() => fs.utimes(half, 0, 0))
        for (const letter of ["b", "c", "d"]) yield* cache.through(name(letter), Effect.succeed(audio(1_000)))
        yield* Effect.sleep(20)
        assert.isDefined(yield* cache.get(name("a")))
        yield* cache.through(name("e"), Effect.succeed(audio(1_000)))
        const there = (letter: string) => existsSync(join(directory, name(letter)))
        assert.deepStrictEqual(["a", "b", "c", "d", "e"].map(there), [true, false, false, true, true])
        assert.isFalse(existsSync(half))
        const after = yield* open({ directory, maxBytes: size * 4 })
        for (const letter of ["1", "2", "3", "4", "5", "6"])
          yield* after.cache.through(name(letter), Effect.succeed(audio(1_000)))
        const held = (yield* Effect.promise(() => fs.readdir(directory))).filter((file) => file.endsWith(".wav"))
        assert.isAtMost(held.length, 4)
        assert.isTrue(there("6"))
        assert.isTrue(existsSync(foreign))
      }).pipe(Effect.scoped)
  )

  it.live.skipIf(process.getuid?.() !== 0)(
    "gives its old files for a new one on a full disk, and says so when that is not enough (a small disk; only root mounts one)",
    () =>
      Effect.gen(function* () {
        const directory = yield* scratchFolder("speech")
        yield* Effect.acquireRelease(
          Effect.sync(() => execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", directory])),
          () => Effect.sync(() => execFileSync("umount", [directory]))
        )
        const { cache } = yield* open({ directory })
        for (let index = 0; index < 13; index++)
          yield* cache.through(name(index.toString(16)), Effect.succeed(audio(2_000)))
        for (const kept of ["b", "c"]) assert.isDefined(yield* cache.get(name(kept)))
        const error = yield* Effect.flip(cache.through(name("f"), Effect.succeed(audio(9_000))))
        assert.deepStrictEqual(error.reason, { _tag: "Storage", code: "ENOSPC" })
        assert.deepStrictEqual(yield* Effect.promise(() => fs.readdir(directory)), [])
      }).pipe(Effect.scoped)
  )

  it.live("records the time of use occasionally", () =>
    Effect.gen(function* () {
      const { cache, directory } = yield* open()
      const { path } = yield* cache.through(name("a"), Effect.succeed(audio(100)))
      const old = new Date(Date.now() - 3_600_000)
      yield* Effect.promise(() => fs.utimes(path, old, new Date(Date.now() - 3_600_000.3)))
      const after = yield* open({ directory })
      assert.isDefined(yield* after.cache.get(name("a")))
      assert.isDefined(yield* after.cache.get(name("a")))
      const atime = () => fs.stat(path).then((stats) => stats.atimeMs)
      while ((yield* Effect.promise(atime)) < Date.now() - 60_000) yield* Effect.sleep(10)
      assert.closeTo((yield* Effect.promise(() => fs.stat(path))).mtimeMs, old.getTime(), 5)
      assert.isDefined(yield* after.cache.get(name("a")))
    }).pipe(Effect.scoped)
  )

  it.live("reports an unwritable folder, and interrupts waiting callers when it closes", () =>
    Effect.gen(function* () {
      const blocked = yield* open({ directory: "/etc/passwd/speech" })
      const error = yield* Effect.flip(blocked.cache.through(name("a"), Effect.succeed(audio(100))))
      assert.deepStrictEqual(error.reason, { _tag: "Storage", code: "ENOTDIR" })
      assert.isTrue(error.retryable)
      const exit = yield* Effect.scoped(
        Effect.gen(function* () {
          const { cache } = yield* open()
          return yield* Effect.forkDetach(Effect.exit(cache.through(name("a"), Effect.never)), {
            startImmediately: true
          })
        })
      )
      assert.strictEqual((yield* Fiber.join(exit))._tag, "Failure")
    }).pipe(Effect.scoped)
  )
})
