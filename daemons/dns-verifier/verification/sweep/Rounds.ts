/**
 * Computes the progress that a shard may store while checks of several rounds are running. Pure except for its own
 * state.
 */

/** Progress of each interval class. Unit: milliseconds since 1970. */
export type ShardProgress = ReadonlyMap<number, number>

interface Round {
  readonly progress: ShardProgress
  open: number
}

/**
 * A round is complete with its last check, and counts when all earlier rounds are complete. After a crash the
 * incomplete rounds repeat, and no domain is skipped.
 */
export class Rounds {
  #rounds: Array<Round> = []
  #done: ShardProgress | undefined

  /**
   * Begins a round. Call `look` for each check, which returns the callback for its end, and `all` when no more checks
   * follow.
   */
  begin(progress: ShardProgress): { readonly look: () => () => void; readonly all: () => void } {
    const round: Round = { progress, open: 1 }
    this.#rounds.push(round)
    const close = () => {
      round.open--
      this.#settle()
    }
    return {
      look: () => {
        round.open++
        return close
      },
      all: close
    }
  }

  /** Progress completed since the last call. */
  takeDone(): ShardProgress | undefined {
    const done = this.#done
    this.#done = undefined
    return done
  }

  #settle(): void {
    while (this.#rounds[0]?.open === 0) this.#done = this.#rounds.shift()!.progress
  }
}
