/** Offers to take the last action back. `parts/UndoNotice.tsx` shows the offer on every page. */
import { effect, signal } from "@preact/signals"
import { Problem } from "./Problem.ts"
import { state as session } from "./Session.ts"
import { lapsed, next, none, type Offer, type UndoEvent } from "./UndoState.ts"

export const undoState = signal(none)

/** Increases after each undo, so that pages load again what they show (lib/Load.ts). */
export const undone = signal(0)

export const tell = (event: UndoEvent): void => {
  const before = undoState.peek()
  const after = next(before, event)
  undoState.value = after
  void lapsed(before, after)?.send?.()
}

/** Shows what was done, with a button that takes it back. Replaces an earlier offer. */
export const offerUndo = (offer: Offer): void => tell({ did: "offer", offer })

/**
 * Runs an action and offers its undo. `back` takes the action back and gets the action's answer. Rejects as the action
 * does, and then offers nothing.
 */
export const undoable = async <A>(
  work: () => Promise<A>,
  done: () => string,
  back: (answer: A) => Promise<unknown>
): Promise<A> => {
  const answer = await work()
  offerUndo({ done, undo: () => back(answer) })
  return answer
}

/**
 * Holds a request back while its undo is offered, for an action that the API cannot take back. The request is sent when
 * the time is over, the notice is closed, another undo is offered, the user signs out, or the page is left. `send`
 * should use a request with `keepalive`, which a closed page does not cancel. Resolves with whether the request was
 * sent; rejects as the request does.
 */
export const heldBack = (send: () => Promise<unknown>, done: () => string): Promise<boolean> =>
  new Promise((resolve, reject) =>
    offerUndo({ done, send: () => send().then(() => resolve(true), reject), undo: async () => resolve(false) })
  )

/** Ends the offer, and sends what was held back for it. Resolves when the server has answered. */
export const settle = async (): Promise<void> => {
  const before = undoState.peek()
  undoState.value = none
  await lapsed(before, none)?.send?.()
}

addEventListener("pagehide", () => void settle())

/** Takes the last action back while that is offered. */
export const undo = async (): Promise<void> => {
  const before = undoState.peek()
  if (before.is !== "offered") return
  const { offer } = before
  tell({ did: "press" })
  try {
    await offer.undo()
    tell({ did: "finish", offer })
  } catch (error) {
    const problem = error instanceof Problem ? error : new Problem(0, "failed", String(error))
    tell({ did: "finish", offer, problem })
  } finally {
    undone.value++
  }
}

effect(() => {
  // The next user of this browser must not take back what this one did.
  if (session.value !== "in") undoState.value = none
})
