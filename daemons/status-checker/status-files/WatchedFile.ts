/**
 * Watches one JSON file: last valid content, and the problem of the current content.
 *
 * The library chokidar 6.0.0 (3,700 lines) reports only that a file may have changed; the checks of this file would
 * remain.
 */
import { Effect, Result } from "effect"
import { hash } from "node:crypto"
import { basename } from "node:path"
import type { Component as HealthComponent } from "#core/daemon/Health.ts"
import { fingerprint, type Fingerprint, read } from "./BoundedFile.ts"
import { decide, type FileState, type Look, unread } from "./FileState.ts"
import { parse } from "./JsonText.ts"
import type { Decoded } from "./FileDecoder.ts"

/**
 * Files modified this shortly before a read are read again. Unit: milliseconds. Reason: file systems round times, some
 * to two seconds, so a second change within one step leaves the fingerprint unchanged.
 */
const raceWindow = 2_000

/** Maximum number of warnings in health and in the log. Unit: warnings. */
const maxWarnings = 10

export interface WatchedFile<A> {
  readonly value: () => A | undefined
  /** Looks at the file once; true when its content is new. `patient` as in FileState. */
  readonly look: (patient: boolean) => Effect.Effect<boolean>
  /** `more`: additional warnings that need the content of other files. */
  readonly health: (more?: ReadonlyArray<string>) => HealthComponent
}

export interface Options<A> {
  /** Variable that names the file in messages. */
  readonly variable: string
  readonly path: string
  /** Largest size. Unit: bytes. */
  readonly maximum: number
  readonly decode: (json: unknown) => Result.Result<Decoded<A>, string>
}

export const make = <A>({ decode, maximum, path, variable }: Options<A>): WatchedFile<A> => {
  const name = `${variable} (${basename(path)})`
  let state: FileState<A> = unread
  /** Fingerprint of content that need not be read again. */
  let seen: Fingerprint | undefined
  let last: { readonly hash: string; readonly result: Result.Result<Decoded<A>, string> } | undefined

  const judge = (bytes: Uint8Array): { readonly hash: string; readonly result: Result.Result<Decoded<A>, string> } => {
    const digest = hash("sha256", bytes, "hex")
    if (last?.hash === digest) return last
    const json = parse(bytes)
    const result = Result.isFailure(json)
      ? Result.fail(`${name} ${json.failure}`)
      : Result.mapError(decode(json.success), (problem) => `${name}: ${problem}`)
    return (last = { hash: digest, result })
  }

  const observe = async (): Promise<Look<A>> => {
    const now = await fingerprint(path)
    if (now !== undefined && now === seen && state.doubt === undefined) return { _tag: "Same" }
    seen = undefined
    const reading = await read(path, maximum)
    if (reading._tag === "Moving") return { _tag: "Moving" }
    if (reading._tag === "Refused")
      return { _tag: "Broken", problem: `${name} ${reading.problem}`, fingerprint: reading.fingerprint }
    if (Math.abs(Date.now() - reading.modified) > raceWindow) seen = reading.fingerprint
    const { hash, result } = judge(reading.bytes)
    return Result.match(result, {
      onFailure: (problem): Look<A> => ({ _tag: "Broken", problem, fingerprint: reading.fingerprint }),
      onSuccess: ({ value, warnings }) => ({ _tag: "Good", hash, value, warnings, fingerprint: reading.fingerprint })
    })
  }

  const look = Effect.fnUntraced(function* (patient: boolean) {
    const before = state
    const { state: next, taken } = decide(state, yield* Effect.promise(observe), Date.now(), patient)
    state = next
    if (next.trouble !== undefined && next.trouble.problem !== before.trouble?.problem) {
      yield* Effect.logWarning(
        `${next.trouble.problem}${next.good === undefined ? "" : "; the last valid content stays in use"}`
      )
    }
    if (next.trouble === undefined && before.trouble !== undefined) yield* Effect.logInfo(`${name} is valid again`)
    if (taken) {
      yield* Effect.logInfo(`${name} was read`)
      for (const warning of next.good!.warnings.slice(0, maxWarnings)) yield* Effect.logWarning(`${name}: ${warning}`)
    }
    return taken
  })

  const health = (more: ReadonlyArray<string> = []): HealthComponent => {
    const { good, trouble } = state
    const warnings = [...(good?.warnings ?? []), ...more]
    const lastGood = { last_good_at: good === undefined ? null : iso(good.at) }
    if (trouble !== undefined)
      return { status: "degraded", detail: trouble.problem, since: iso(trouble.since), ...lastGood }
    if (good === undefined)
      return { status: "degraded", detail: `${name} has not been read yet: it is being written`, ...lastGood }
    return {
      status: "ok",
      ...lastGood,
      ...(warnings.length === 0
        ? {}
        : {
            detail: warnings.length === 1 ? "1 warning" : `${warnings.length} warnings`,
            warnings: warnings.slice(0, maxWarnings)
          })
    }
  }

  return { value: () => state.good?.value, look, health }
}

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString()
