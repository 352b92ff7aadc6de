/** The alarms of a storm: what each is handed in as, and where each of its targets is to be seen arriving. */
import type { Random } from "#support/Random.ts"
import type { Severity } from "#daemons/comm-dispatcher/vocabulary/Target.ts"

export type Part = "webhook" | "messenger" | "messenger_voice" | "call"

/**
 * - `prompt`: takes it at once. `failing`: takes it at the second time; its alarm says RETRY.
 * - `slow`: a host that takes its time. `hanging`: a host that never answers. `flooded`: the one chat that gets so many
 *   messages that the API refuses most at first.
 * - `refusing`: a chat that blocked the bot, a path that is gone.
 */
export type Kind = "prompt" | "failing" | "slow" | "hanging" | "flooded" | "refusing"

export interface StormTarget {
  readonly part: Part
  readonly kind: Kind
  /** Path at its host, chat, or number. */
  readonly at: string
}

export interface StormAlarm {
  readonly id: number
  readonly door: "smtp" | "http"
  readonly severity: Severity
  readonly subject: string
  readonly body: string
  readonly targets: ReadonlyArray<StormTarget>
}

export interface Hosts {
  readonly prompt: string
  readonly slow: string
  readonly hanging: string
}

export interface Mixture {
  readonly alarms: number
  /** Alarms of these kinds, spread over all; of hanging ones at most every tenth. */
  readonly calls: number
  readonly voices: number
  readonly slow: number
  readonly hanging: number
  readonly flooded: number
}

/** Chats that behave in a way of their own. */
export const floodedChat = "900000001"
export const blockedChat = "900000002"

/** Attempts of an alarm that says RETRY. */
const retryAttempts = 4

const severities: ReadonlyArray<Severity> = ["INFO", "WARNING", "CRITICAL", "ALERT"]

/** Where alarm `id`'s targets are; ids are told apart over all storms of a run. */
export const pathOf = (id: number, nth: number): string => `/storm/${id}/${nth}`
export const chatOf = (id: number): string => String(1_000_000 + id)
/** The alarm whose own chat this is. */
export const idOfChat = (chat: string): number | undefined =>
  chat.length === 7 && chat.startsWith("1") ? Number(chat) - 1_000_000 : undefined
const voiceChatOf = (id: number): string => String(5_000_000 + id)
export const numberOf = (id: number): string => `+${4_930_100_000 + id}`
export const textOf = (id: number): string => `storm alarm number ${id}`

/** Every mixture of targets and severities, ids from `first` (a multiple of 10) on. */
export const makeAlarms = (random: Random, first: number, hosts: Hosts, mixture: Mixture): ReadonlyArray<StormAlarm> =>
  Array.from({ length: mixture.alarms }, (_, index) => {
    const id = first + index
    const share = (count: number) =>
      Math.floor(((index + 1) * count) / mixture.alarms) > Math.floor((index * count) / mixture.alarms)
    const failing = failsFirst(id)
    const refusing = index % 50 === 7
    const usual: Kind = failing ? "failing" : "prompt"
    const webhook = (nth: number, kind: Kind = usual): StormTarget => ({ part: "webhook", kind, at: pathOf(id, nth) })
    const message: StormTarget = { part: "messenger", kind: usual, at: chatOf(id) }
    const hanging = index % 10 === 1 && share10(index, mixture)
    const targets: ReadonlyArray<StormTarget> = [
      ...(index % 10 < 4 || index % 10 > 5 ? [webhook(0)] : []),
      ...(index % 10 > 7 ? [webhook(1)] : []),
      ...(index % 10 > 3 ? [message] : []),
      ...(refusing ? [webhook(2, "refusing"), { part: "messenger", kind: "refusing", at: blockedChat } as const] : []),
      ...(share(mixture.slow) ? [webhook(3, "slow")] : []),
      ...(hanging ? [webhook(4, "hanging")] : []),
      ...(share(mixture.flooded) ? [{ part: "messenger", kind: "flooded", at: floodedChat } as const] : []),
      ...(share(mixture.voices) ? [{ part: "messenger_voice", kind: "prompt", at: voiceChatOf(id) } as const] : []),
      ...(share(mixture.calls) ? [{ part: "call", kind: "prompt", at: numberOf(id) } as const] : [])
    ]
    // The gravest go first: what hangs is in everybody's way.
    const severity = hanging ? "ALERT" : severities[Math.floor(random.next() * severities.length)]!
    return {
      id,
      door: index % 2 === 0 ? "smtp" : "http",
      severity,
      subject: `${severity}:${targets.map((target) => wordOf(target, hosts)).join(";")}${failing ? `;RETRY:${retryAttempts}x1m` : ""}`,
      body: textOf(id),
      targets
    }
  })

/** Whether this alarm's own receivers fail its first attempt. */
export const failsFirst = (id: number): boolean => id % 10 === 3 || id % 10 === 6

/** The hanging ones are spread over every tenth alarm, none of which says RETRY: a time-out each is enough. */
const share10 = (index: number, { alarms, hanging }: Mixture): boolean => {
  const tenths = alarms / 10
  const nth = Math.floor(index / 10)
  return Math.floor(((nth + 1) * hanging) / tenths) > Math.floor((nth * hanging) / tenths)
}

const wordOf = ({ at, kind, part }: StormTarget, hosts: Hosts): string => {
  switch (part) {
    case "webhook":
      return `WEBHOOK+${kind === "slow" || kind === "hanging" ? hosts[kind] : hosts.prompt}${at}`
    case "messenger":
      return `MESSENGER+${at}`
    case "messenger_voice":
      return `MESSENGER_VOICE+${at}`
    case "call":
      return `CALL+${at}`
  }
}
