/**
 * Spoken audio on disk, by content hash. The folder is the truth, so that it survives restarts and several processes
 * may share it; in memory there is only what has been verified of which file. A file that is gone, cut or not what its
 * name says is made anew. Bounded in bytes: the least recently used go first. Not a store: any file may vanish at any
 * time.
 */
import { createHash, randomUUID } from "node:crypto"
import type { Stats } from "node:fs"
import * as fs from "node:fs/promises"
import { join } from "node:path"
import { Deferred, Effect, Result, Semaphore } from "effect"
import { type AudioFormat, audioName, type Engine, maxAudioBytes } from "./Audio.ts"
import { judgeAudio } from "./AudioFile.ts"
import type { Audio } from "./Conversion.ts"
import { isLeftover, toEvict } from "./Eviction.ts"
import { type SpeechError, speechError } from "./SpeechError.ts"

/** Part of every hash: raise it when the way from text to audio changes, and old audio is not found any more. */
export const recipeVersion = 1

/** A file of the cache, verified. */
export interface CachedAudio {
  /** `<hash>.<format>` */
  readonly name: string
  readonly path: string
  readonly bytes: number
  readonly durationMs: number
}

export interface SpeechCache {
  /** The verified file, or undefined. One stat when it has been seen before. */
  readonly get: (name: string) => Effect.Effect<CachedAudio | undefined>
  /** The file, made when it is not there; whoever asks for it meanwhile gets the same one, or the same failure. */
  readonly through: (name: string, make: Effect.Effect<Audio, SpeechError>) => Effect.Effect<CachedAudio, SpeechError>
}

/**
 * How often the time of use is written to a file. Unit: milliseconds. Reason: eviction needs no better, disks need
 * fewer writes.
 */
const touchInterval = 60_000

/** Files remembered as verified. Reason: some hundred bytes each; forgetting one costs reading it again. */
const maxRemembered = 4_096

/** Files written between two looks at the whole folder. Reason: other processes write to it too. */
const writesBetweenLooks = 64

/** The name under which audio is kept. `voice`: as the engine is asked for it. */
export const nameOf = (text: string, engine: Engine, voice: string | undefined, format: AudioFormat): string =>
  `${createHash("sha256")
    .update(JSON.stringify([recipeVersion, text, engine, voice ?? null, format]))
    .digest("hex")}.${format}`

interface Known {
  readonly bytes: number
  readonly mtimeMs: number
  readonly durationMs: number
  usedMs: number
  touchedMs: number
}

/**
 * Opens the cache over `directory`, made at first use. `shared`: other users (the switch) read it. The scope ends what
 * is being made.
 */
export const make = Effect.fnUntraced(function* (options: {
  readonly directory: string
  readonly maxBytes: number
  readonly shared: boolean
}) {
  const { directory, maxBytes, shared } = options
  const scope = yield* Effect.scope
  const known = new Map<string, Known>()
  const making = new Map<string, Deferred.Deferred<CachedAudio, SpeechError>>()
  const evicting = Semaphore.makeUnsafe(1)
  /** Bytes in the folder as far as we know; unknown until the first look. */
  let held = Number.POSITIVE_INFINITY
  let writes = 0
  let closed = false
  yield* Effect.addFinalizer(() => Effect.sync(() => void (closed = true)))

  const seen = (name: string, file: Known): CachedAudio => {
    known.delete(name)
    known.set(name, file)
    if (known.size > maxRemembered) known.delete(known.keys().next().value!)
    return { name, path: join(directory, name), bytes: file.bytes, durationMs: file.durationMs }
  }

  const get = (name: string): Effect.Effect<CachedAudio | undefined> =>
    Effect.promise(async () => {
      const path = join(directory, name)
      const stats = await fs.lstat(path).catch(() => undefined)
      if (stats === undefined) return undefined
      const before = known.get(name)
      const now = Date.now()
      if (before !== undefined && isSame(before, stats)) {
        before.usedMs = now
        if (now - before.touchedMs > touchInterval) {
          before.touchedMs = now
          // Not waited for: it serves only the order of eviction.
          void fs.utimes(path, new Date(now), stats.mtime).catch(() => {})
        }
        return seen(name, before)
      }
      const durationMs = await verify(name, path, stats)
      if (durationMs !== undefined)
        return seen(name, { bytes: stats.size, mtimeMs: stats.mtimeMs, durationMs, usedMs: now, touchedMs: 0 })
      known.delete(name)
      await fs.rm(path, { force: true, recursive: true }).catch(() => {})
      return undefined
    })

  const write = (name: string, audio: Audio): Effect.Effect<CachedAudio, SpeechError> =>
    Effect.tryPromise({
      try: async () => {
        const path = join(directory, name)
        const half = join(directory, `.${name}.${randomUUID()}.tmp`)
        await fs.mkdir(directory, { recursive: true, mode: shared ? 0o755 : 0o700 })
        let stats: Stats
        try {
          await fs.writeFile(half, audio.bytes, { mode: 0o600, flag: "wx" })
          // The service's umask would keep the switch out; who may enter the folder is the operator's decision.
          if (shared) await fs.chmod(half, 0o644)
          stats = await fs.lstat(half)
          await fs.rename(half, path)
        } catch (error) {
          await fs.rm(half, { force: true }).catch(() => {})
          throw error
        }
        const { mtimeMs, size } = stats
        const now = Date.now()
        return seen(name, { bytes: size, mtimeMs, durationMs: audio.facts.durationMs, usedMs: now, touchedMs: now })
      },
      catch: (error) =>
        speechError({
          _tag: "Storage",
          code: error instanceof Error && "code" in error ? String(error.code) : "unknown"
        })
    })

  /** Looks at the whole folder and brings it below `share` of what is there, or of the bound; spares `spare`. */
  const look = (share: number | "bound", spare?: string) =>
    evicting.withPermit(
      Effect.promise(async () => {
        writes = 0
        const files: Array<{ readonly name: string; readonly bytes: number; readonly usedMs: number }> = []
        for (const name of await fs.readdir(directory).catch(() => [])) {
          const stats =
            audioName.test(name) || isLeftover(name)
              ? await fs.lstat(join(directory, name)).catch(() => undefined)
              : undefined
          if (stats === undefined) continue
          if (isLeftover(name, Date.now() - stats.mtimeMs))
            await fs.rm(join(directory, name), { force: true }).catch(() => {})
          if (!audioName.test(name)) continue
          files.push({
            name,
            bytes: stats.size,
            usedMs: Math.max(stats.atimeMs, stats.mtimeMs, known.get(name)?.usedMs ?? 0)
          })
        }
        const gone = toEvict(
          files,
          share === "bound" ? maxBytes : files.reduce((sum, { bytes }) => sum + bytes, 0) * share,
          spare
        )
        for (const name of gone.names) {
          known.delete(name)
          await fs.rm(join(directory, name), { force: true }).catch(() => {})
        }
        held = gone.left
      })
    )

  const put = (name: string, audio: Audio): Effect.Effect<CachedAudio, SpeechError> =>
    write(name, audio).pipe(
      // On a full disk our own old files are what we can give: half of them, or all.
      Effect.catchIf(isFull, () => Effect.andThen(look(0.5), write(name, audio))),
      Effect.catchIf(isFull, () => Effect.andThen(look(0), write(name, audio))),
      Effect.tap((file) => {
        held += file.bytes
        return held > maxBytes || ++writes >= writesBetweenLooks ? look("bound", name) : Effect.void
      })
    )

  const through = (name: string, wanted: Effect.Effect<Audio, SpeechError>): Effect.Effect<CachedAudio, SpeechError> =>
    Effect.flatMap(get(name), (hit) => (hit === undefined ? joined(name, wanted) : Effect.succeed(hit)))

  const joined = (name: string, wanted: Effect.Effect<Audio, SpeechError>): Effect.Effect<CachedAudio, SpeechError> =>
    Effect.uninterruptibleMask((restore) => {
      if (closed) return Effect.interrupt
      const waiting = making.get(name)
      if (waiting !== undefined) return restore(Deferred.await(waiting))
      const mine = Deferred.makeUnsafe<CachedAudio, SpeechError>()
      making.set(name, mine)
      // In a fiber of its own: whoever asked first may be interrupted, the others still wait for it.
      const work = get(name).pipe(
        Effect.flatMap((hit) =>
          hit === undefined ? Effect.flatMap(wanted, (audio) => put(name, audio)) : Effect.succeed(hit)
        ),
        Effect.interruptible,
        Effect.onExit((exit) => {
          making.delete(name)
          return Deferred.done(mine, exit)
        })
      )
      return Effect.andThen(Effect.forkIn(work, scope), restore(Deferred.await(mine)))
    })

  const cache: SpeechCache = { get, through }
  return cache
})

const isFull = ({ reason }: SpeechError): boolean =>
  reason._tag === "Storage" && ["ENOSPC", "EDQUOT"].includes(reason.code)

/** Unit: milliseconds. Reason: noting the time of use writes the time of change back with rounded fractions. */
const timeTolerance = 2

const isSame = (known: Known, stats: Stats): boolean =>
  stats.isFile() && stats.size === known.bytes && Math.abs(stats.mtimeMs - known.mtimeMs) < timeTolerance

/** The duration of a file that is what its name says; undefined: it is not. */
const verify = async (name: string, path: string, stats: Stats): Promise<number | undefined> => {
  if (!stats.isFile() || stats.size === 0 || stats.size > maxAudioBytes) return undefined
  const bytes = await fs.readFile(path).catch(() => undefined)
  if (bytes === undefined) return undefined
  const judgment = judgeAudio(name.slice(name.indexOf(".") + 1) as AudioFormat, bytes)
  return Result.isSuccess(judgment) ? judgment.success.durationMs : undefined
}
