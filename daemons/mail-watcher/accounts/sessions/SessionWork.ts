/** Runs one piece of work on an open session within a time limit. */
import type { Semaphore } from "effect"
import type { ImapFlow } from "imapflow"
import type { RawCommands } from "./RawCommands.ts"
import type { SessionError } from "./SessionError.ts"

/** Work on a session. `raw` reads responses faster than the library. */
export type Work<A> = (client: ImapFlow, raw: RawCommands) => Promise<A>

export interface UseOptions<A> {
  /**
   * The work changes nothing. If the session was cut while idle, the work runs once more on a new session. It stops
   * when its caller leaves. Default false.
   */
  readonly repeat?: boolean
  /**
   * Fallback on a new session when the response was too long or not valid IMAP. Requires that `work` changes nothing.
   */
  readonly careful?: Work<A>
}

export interface Session {
  readonly client: ImapFlow
  readonly raw: RawCommands
  /** Resets the response limits. */
  readonly begin: () => void
  readonly turn: Semaphore.Semaphore
  /** Server and user of the session. A mismatch with the account means that the account was moved. */
  readonly target: string
  /** Pieces of work done on the session. */
  served: number
  /** First error that the library reported for the connection. */
  broken: unknown
}

export interface Failed {
  readonly error: SessionError
  /**
   * `same`: repeat the work. `careful`: repeat it in the variant that skips data which a hostile message can make long.
   * Absent: give up.
   */
  readonly again?: "same" | "careful"
}

export const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown } | undefined)?.code

/** The work exceeded its time limit. */
export class TooLong extends Error {}

/** Runs the work with a timeout. Closing the session fails everything that it waits for. */
export const within = async <A>({ client, raw }: Session, patience: number, work: Work<A>): Promise<A> => {
  let late = false
  const timer = setTimeout(() => {
    late = true
    client.close()
  }, patience)
  try {
    const done = await work(client, raw)
    // The library resolves some calls when the session closes.
    if (late) throw new TooLong()
    return done
  } catch (error) {
    throw late ? new TooLong() : error
  } finally {
    clearTimeout(timer)
  }
}

/** Waits until running work ends, and closes the session when that takes longer than `time` milliseconds. */
export const endWithin = async ({ client }: Session, time: number, running: Promise<unknown>): Promise<void> => {
  const timer = setTimeout(() => client.close(), time)
  await running.catch(() => {})
  clearTimeout(timer)
}
