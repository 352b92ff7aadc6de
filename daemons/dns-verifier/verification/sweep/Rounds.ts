/**
 * How far a shard may be written down as having come, while looks of several rounds are under way at once. Pure but for
 * its own state.
 */

/** Where each class stands. Unit: milliseconds since 1970, by class. */
export type ShardProgress = ReadonlyMap<number, number>

interface Round {
  readonly progress: ShardProgress
  open: number
}

/**
 * A round is done with its last look, and counts once all before it are done: a kill repeats what counts not, and skips
 * nothing.
 */
export class Rounds {
  #rounds: Array<Round> = []
  #done: ShardProgress | undefined

  /** Answers what to call for each look that begins in it, and what to call when no more will. */
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

  /** What is done and not taken yet. */
  takeDone(): ShardProgress | undefined {
    const done = this.#done
    this.#done = undefined
    return done
  }

  #settle(): void {
    while (this.#rounds[0]?.open === 0) this.#done = this.#rounds.shift()!.progress
  }
}
