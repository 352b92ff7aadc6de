/**
 * How far a shard may be written down as having come, while looks of several rounds are under way at once. Pure but for
 * its own state.
 */

/** Where each class stands. Unit: milliseconds since 1970, by class. */
export type Places = ReadonlyMap<number, number>

interface Round {
  readonly places: Places
  open: number
}

/**
 * A round is done with its last look, and counts once all before it are done: a kill repeats what counts not, and skips
 * nothing.
 */
export class Rounds {
  #rounds: Array<Round> = []
  #done: Places | undefined

  /** Answers what to call for each look that begins in it, and what to call when no more will. */
  begin(places: Places): { readonly look: () => () => void; readonly all: () => void } {
    const round: Round = { places, open: 1 }
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
  takeDone(): Places | undefined {
    const done = this.#done
    this.#done = undefined
    return done
  }

  #settle(): void {
    while (this.#rounds[0]?.open === 0) this.#done = this.#rounds.shift()!.places
  }
}
