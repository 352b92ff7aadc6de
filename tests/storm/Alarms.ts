/** Alarms of a storm: their content, and where the arrival of each target is visible. */
import type { Random } from "#support/Random.ts"
import type { Severity } from "#daemons/comm-dispatcher/vocabulary/Target.ts"

export type Part = "webhook" | "messenger" | "messenger_voice" | "call"

/**
 * - `prompt`: accepts at once. `failing`: accepts the second attempt; its alarm has RETRY.
 * - `slow`: a slow host. `hanging`: a host that never answers.
 * - `flooded`: a single chat with so many messages that the API refuses most at first.
 * - `refusing`: a chat that blocked the bot, or a path that answers 410.
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
  /** Number of alarms of each kind, spread evenly. At most every tenth alarm is `hanging`. */
  readonly calls: number
  readonly voices: number
  readonly slow: number
  readonly hanging: number
  readonly flooded: number
}

/** Chats with special behaviour. */
export const floodedChat = "900000001"
export const blockedChat = "900000002"

/** Attempts of an alarm with RETRY. */
const retryAttempts = 4

const severities: ReadonlyArray<Severity> = ["INFO", "WARNING", "CRITICAL", "ALERT"]

/** Places of an alarm's targets. Ids are unique over all storms of a run. */
export const pathOf = (id: number, nth: number): string => `/storm/${id}/${nth}`
export const chatOf = (id: number): string => String(1_000_000 + id)
/** Id of the alarm with this chat. */
export const idOfChat = (chat: string): number | undefined =>
  chat.length === 7 && chat.startsWith("1") ? Number(chat) - 1_000_000 : undefined
const voiceChatOf = (id: number): string => String(5_000_000 + id)
export const numberOf = (id: number): string => `+${4_930_100_000 + id}`
export const textOf = (id: number): string => `storm alarm number ${id}`

/** Alarms with all combinations of targets and severities. Ids begin at `first`, a multiple of 10. */
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
    // Hanging alarms get the highest severity, so they are delivered first and could block the others.
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

/** Whether the receivers of this alarm fail its first attempt. */
export const failsFirst = (id: number): boolean => id % 10 === 3 || id % 10 === 6

/** Hanging alarms are spread over every tenth alarm. None has RETRY, because one timeout per alarm is enough. */
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
