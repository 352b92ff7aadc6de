/** What the notice of an undo shows, and how long. Pure; at most one offer at a time. */
import type { Problem } from "./Problem.ts"

/** Text in the page's language. */
type Text = () => string

export interface Offer {
  /** What was done: "Suspended: info@example.org". */
  readonly done: Text
  /** Takes the action back. */
  readonly undo: () => Promise<unknown>
  /** Sends a request that was held back until the undo is offered no more. Never rejects. */
  readonly send?: () => Promise<unknown>
}

export type UndoState =
  | { readonly is: "none" }
  /** `left`: remaining time. Unit: seconds. */
  | { readonly is: "offered"; readonly offer: Offer; readonly left: number }
  | { readonly is: "undoing"; readonly offer: Offer }
  | { readonly is: "undone"; readonly offer: Offer; readonly left: number }
  | { readonly is: "failed"; readonly offer: Offer; readonly problem: Problem }

export type UndoEvent =
  | { readonly did: "offer"; readonly offer: Offer }
  /** A second has passed. `held`: the notice has the focus or the pointer, so its time stands still. */
  | { readonly did: "second"; readonly held: boolean }
  | { readonly did: "press" }
  /** The undo of this offer has ended. */
  | { readonly did: "finish"; readonly offer: Offer; readonly problem?: Problem }
  | { readonly did: "close" }

export const none: UndoState = { is: "none" }

/**
 * How long an undo is offered. Unit: seconds. Reason: time to read one line and to reach the button; the time stands
 * still while the notice has the focus or the pointer (WCAG 2.2 §2.2.1).
 */
export const undoSeconds = 10

/** How long the notice says that the action was undone. Unit: seconds. */
export const undoneSeconds = 4

/** The offer that ends with this change of the state without an undo; its held back request is due. */
export const lapsed = (before: UndoState, after: UndoState): Offer | undefined =>
  before.is !== "offered" || after.is === "undoing" || (after.is === "offered" && after.offer === before.offer)
    ? undefined
    : before.offer

/** The state after an event. An event of an offer that another one has replaced changes nothing. */
export const next = (state: UndoState, event: UndoEvent): UndoState => {
  switch (event.did) {
    case "offer":
      return { is: "offered", offer: event.offer, left: undoSeconds }
    case "second":
      if (event.held || (state.is !== "offered" && state.is !== "undone")) return state
      return state.left > 1 ? { ...state, left: state.left - 1 } : none
    case "press":
      return state.is === "offered" ? { is: "undoing", offer: state.offer } : state
    case "finish":
      if (state.is !== "undoing" || state.offer !== event.offer) return state
      return event.problem === undefined
        ? { is: "undone", offer: event.offer, left: undoneSeconds }
        : { is: "failed", offer: event.offer, problem: event.problem }
    case "close":
      return state.is === "undoing" ? state : none
  }
}
