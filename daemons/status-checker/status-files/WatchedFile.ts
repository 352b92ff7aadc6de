/** One JSON file that is looked at again and again: the last good content, and what is wrong with what is there now. */
import { Effect, Result } from "effect"
import { hash } from "node:crypto"
import { basename } from "node:path"
import type { Component as HealthComponent } from "#core/daemon/Health.ts"
import { fingerprint, type Fingerprint, read } from "./BoundedFile.ts"
import { decide, type FileState, type Look, unread } from "./FileState.ts"
import { parse } from "./JsonText.ts"
import type { Decoded } from "./FileDecoder.ts"

/**
 * A file modified this shortly before it was read is read once more. Unit: milliseconds. Reason: file systems tell
 * times by steps (two seconds on some), so a second change within one leaves no trace but the content.
 */
const raceWindow = 2_000

/** Warnings in health and in the log. Unit: sentences. */
const toldWarnings = 10

export interface WatchedFile<A> {
  readonly value: () => A | undefined
  /** Looks once; true when something new was taken. `patient` as in FileState. */
  readonly look: (patient: boolean) => Effect.Effect<boolean>
  /** `more`: warnings that only somebody who knows other files has. */
  readonly health: (more?: ReadonlyArray<string>) => HealthComponent
}

export interface Options<A> {
  /** For people: the file is called by it. */
  readonly variable: string
  readonly path: string
  /** Unit: bytes. */
  readonly maximum: number
  readonly decode: (json: unknown) => Result.Result<Decoded<A>, string>
}

export const make = <A>({ decode, maximum, path, variable }: Options<A>): WatchedFile<A> => {
  const name = `${variable} (${basename(path)})`
  let state: FileState<A> = unread
  /** What need not be read again. */
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
        `${next.trouble.problem}${next.good === undefined ? "" : "; what was read before holds"}`
      )
    }
    if (next.trouble === undefined && before.trouble !== undefined) yield* Effect.logInfo(`${name} is well again`)
    if (taken) {
      yield* Effect.logInfo(`${name} was read`)
      for (const warning of next.good!.warnings.slice(0, toldWarnings)) yield* Effect.logWarning(`${name}: ${warning}`)
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
      return { status: "degraded", detail: `${name} could not be read whole yet: it is being written`, ...lastGood }
    return {
      status: "ok",
      ...lastGood,
      ...(warnings.length === 0
        ? {}
        : {
            detail: `${warnings.length} warning${warnings.length === 1 ? "" : "s"}`,
            warnings: warnings.slice(0, toldWarnings)
          })
    }
  }

  return { value: () => state.good?.value, look, health }
}

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString()
