/** Counters and progress of this process's sweep, for `/health`. Kept in memory. */
import type { Component } from "#core/daemon/Health.ts"
import type { Observation } from "../observe/Observation.ts"
import type { LookOutcome } from "./DomainLook.ts"
import type { ShardProgress } from "./Rounds.ts"

/** Time over which the rate is averaged. Unit: seconds. */
const rateOver = 10

/** How long a server counts as silent. Unit: milliseconds. Reason: two rounds of the shortest interval. */
const silentFor = 600_000

/** Maximum number of silent servers remembered. Reason: bounds memory; operators need only a count. */
const maxSilent = 1_000

/**
 * Delay at which a shard counts as late. Unit: intervals of the class. Reason: beyond one interval, checks are rarer
 * than promised.
 */
const lateAfter = 1

export class SweepState {
  /** Progress of each shard in this process. */
  readonly shards = new Map<number, ShardProgress>()
  looks = 0
  deep = 0
  written = 0
  failed = 0
  blind = 0
  /** Failed checks since the last one that ended. */
  #failing = 0
  readonly #perSecond = Array.from({ length: rateOver + 1 }, () => ({ second: 0, looks: 0 }))
  readonly #silent = new Map<string, number>()
  readonly #minute: number

  /** `minute`: length of a minute of the checks in milliseconds. */
  constructor(minute: number) {
    this.#minute = minute
  }

  count({ blind, deep, written }: LookOutcome): void {
    this.looks++
    this.#failing = 0
    if (deep) this.deep++
    if (written) this.written++
    this.blind = blind ? this.blind + 1 : 0
    const second = Math.floor(Date.now() / 1000)
    const at = second % this.#perSecond.length
    const slot = this.#perSecond[at]
    if (slot !== undefined && slot.second === second) slot.looks++
    else this.#perSecond[at] = { second, looks: 1 }
  }

  /** Counts a check that ended with an error of this program. */
  countFailed(): void {
    this.failed++
    this.#failing++
  }

  /** Notes which servers answered and which were silent. */
  hear({ asked }: Observation): void {
    for (const { authorities } of asked) {
      for (const {
        said: { outcome },
        server: { address, name }
      } of authorities) {
        const key = address ?? name
        if (outcome !== "timeout" && outcome !== "unreachable") this.#silent.delete(key)
        else if (this.#silent.size < maxSilent || this.#silent.has(key)) this.#silent.set(key, Date.now())
      }
    }
  }

  component(): Component {
    const now = Date.now()
    for (const [server, at] of this.#silent) if (now - at > silentFor) this.#silent.delete(server)
    const second = Math.floor(now / 1000)
    const recent = this.#perSecond.reduce(
      (sum, slot) => (slot.second < second && slot.second >= second - rateOver ? sum + slot.looks : sum),
      0
    )
    const lags = [...this.shards.values()].map((progress) => this.#lag(progress, now))
    const late = lags.filter(({ intervals }) => intervals > lateAfter).length
    return {
      ...(this.#failing >= failingAfter
        ? { status: "degraded" as const, detail: `the last ${this.#failing} checks failed; the log has the errors` }
        : this.blind >= blindAfter
          ? { status: "degraded" as const, detail: "neither resolvers nor name servers answer" }
          : late > 0
            ? { status: "degraded" as const, detail: `${late} shards are a whole interval late` }
            : { status: "ok" as const }),
      shards: this.shards.size,
      oldest_window_s: Math.round(Math.max(0, ...lags.map(({ lag }) => lag)) / 100) / 10,
      looks_per_second: recent / rateOver,
      looks: this.looks,
      deep: this.deep,
      written: this.written,
      failed: this.failed,
      servers_silent: this.#silent.size
    }
  }

  /** Delay of the latest class: in milliseconds, and in its intervals. */
  #lag(progress: ShardProgress, now: number): { readonly lag: number; readonly intervals: number } {
    const lags = [...progress].map(([every, until]) => ({
      lag: Math.max(0, now - until),
      intervals: (now - until) / (every * this.#minute)
    }))
    return {
      lag: Math.max(0, ...lags.map(({ lag }) => lag)),
      intervals: Math.max(0, ...lags.map(({ intervals }) => intervals))
    }
  }
}

/**
 * Consecutive checks without any answer until `/health` is degraded. Reason: a domain with dead servers during a
 * resolver restart is only two.
 */
const blindAfter = 10

/** Consecutive failed checks until `/health` is degraded. Reason: a failure of every check, not one of some domains. */
const failingAfter = 10
