/**
 * Logic of the table of notification preferences: choices by event pattern and channel. Pure. Source: interface
 * document 1 §2.5, §6 rule 5.
 */
import type { Choice } from "../../lib/Told.ts"

export const channels = ["app", "email", "messenger", "browser", "speech"] as const
export type Channel = (typeof channels)[number]

/** Rows that every user sees. */
const offered = ["*", "alarm.*", "call.incoming", "mail.*", "payment.*", "security.*", "system.*"] as const

/** Whether the server accepts the pattern: an event type, a prefix with `.*`, or `*`. */
export const isPattern = (text: string): boolean =>
  text.length <= 100 && /^(\*|[a-z][a-z0-9_]*(\.[a-z0-9_]+)*(\.\*)?)$/.test(text)

/** Rows of the table: the standard ones, those with a choice, and those just added; `*` is first. */
export const patternsOf = (choices: ReadonlyArray<Choice>, added: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set([...offered, ...choices.map(({ event_type }) => event_type), ...added])].toSorted()

export const chosen = (choices: ReadonlyArray<Choice>, event_type: string, channel: Channel): boolean | undefined =>
  choices.find((one) => one.event_type === event_type && one.channel === channel)?.enabled

/** Sets a choice. `enabled` undefined: back to the default. */
export const choose = (
  choices: ReadonlyArray<Choice>,
  event_type: string,
  channel: Channel,
  enabled: boolean | undefined
): ReadonlyArray<Choice> => {
  const others = choices.filter((one) => one.event_type !== event_type || one.channel !== channel)
  return enabled === undefined ? others : [...others, { event_type, channel, enabled }]
}
