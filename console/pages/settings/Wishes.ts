/**
 * The table of how somebody wants to be told: choices by pattern and channel. Pure. Source: interface document 1 §2.5,
 * §6 rule 5.
 */
import type { Choice } from "../../lib/Told.ts"

export const channels = ["app", "email", "messenger", "browser", "speech"] as const
export type Channel = (typeof channels)[number]

/** Lines that are offered to everybody. */
const offered = ["*", "alarm.*", "call.incoming", "mail.*", "payment.*", "security.*", "system.*"] as const

/** As the server takes it: a type of event, all below a prefix, or `*`. */
export const isPattern = (text: string): boolean =>
  text.length <= 100 && /^(\*|[a-z][a-z0-9_]*(\.[a-z0-9_]+)*(\.\*)?)$/.test(text)

/** The lines of the table: those offered, those chosen and those just added, `*` first. */
export const patternsOf = (choices: ReadonlyArray<Choice>, added: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set([...offered, ...choices.map(({ event_type }) => event_type), ...added])].toSorted()

export const chosen = (choices: ReadonlyArray<Choice>, event_type: string, channel: Channel): boolean | undefined =>
  choices.find((one) => one.event_type === event_type && one.channel === channel)?.enabled

/** `enabled` undefined: as usual again. */
export const choose = (
  choices: ReadonlyArray<Choice>,
  event_type: string,
  channel: Channel,
  enabled: boolean | undefined
): ReadonlyArray<Choice> => {
  const others = choices.filter((one) => one.event_type !== event_type || one.channel !== channel)
  return enabled === undefined ? others : [...others, { event_type, channel, enabled }]
}
