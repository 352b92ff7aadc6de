/** The user's notification preferences, as far as the page itself applies them: spoken announcements. */
import { effect, signal, untracked } from "@preact/signals"
import { call } from "./Call.ts"
import { state } from "./Session.ts"
import { matches } from "./Socket.ts"

export interface Choice {
  readonly event_type: string
  readonly channel: string
  readonly enabled: boolean
}

/** The stored preferences; empty until they are loaded. */
export const choices = signal<ReadonlyArray<Choice>>([])

/**
 * The most specific matching preference: the exact type, then the longest prefix, then `*`. Without a match: `usual`.
 * Pure.
 */
export const decided = (all: ReadonlyArray<Choice>, type: string, channel: string, usual: boolean): boolean =>
  all
    .filter((choice) => choice.channel === channel && matches(choice.event_type, type))
    .toSorted((a, b) => specificity(b.event_type) - specificity(a.event_type))[0]?.enabled ?? usual

const specificity = (pattern: string): number =>
  pattern === "*" ? 0 : pattern.endsWith(".*") ? pattern.length - 1 : pattern.length + 1

/** Whether to notify; true when there is no preference. */
export const wants = (type: string, channel: string): boolean => decided(choices.peek(), type, channel, true)

const learn = (): void => {
  call("GET /api/v1/notifications/preferences").then(
    ({ items }) => (choices.value = items),
    () => undefined
  )
}

effect(() => {
  // A call reads the token, and a renewed token must not trigger another call.
  if (state.value === "in") untracked(learn)
  else choices.value = []
})
