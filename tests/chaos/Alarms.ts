/** Alarms of a chaos run, and how their receivers behave. Pure. */
import type { Random } from "#support/Random.ts"
import type { SinkBehaviour } from "#support/WebhookSink.ts"

/**
 * What the receiver of a webhook does. `accepts` below says whether it acts on the request.
 * - `prompt`, `slow`: answers 200, the slow one after seconds.
 * - `failing`: answers 503 first. `hanging`: is silent first. `reset`: resets the connection first, without acting.
 * - `cut`: acts, then resets the connection. `late`: acts, and answers after the sender's time-out. No RETRY.
 * - `cutFirst`: acts, then resets the connection, and answers the repeat that RETRY asks for.
 * - `refusing`: answers 410.
 */
export type Kind = "prompt" | "slow" | "failing" | "hanging" | "reset" | "cut" | "late" | "cutFirst" | "refusing"

/** Share of each kind; the rest is `prompt`. */
const shares: ReadonlyArray<readonly [Kind, number]> = [
  ["slow", 0.05],
  ["failing", 0.08],
  ["hanging", 0.05],
  ["reset", 0.06],
  ["cut", 0.05],
  ["late", 0.02],
  ["cutFirst", 0.03],
  ["refusing", 0.02]
]

/** Kinds with RETRY: their first attempt fails. */
const retried: ReadonlySet<Kind> = new Set(["failing", "hanging", "reset", "cutFirst"])

/** Kinds at the host whose requests last for the whole time-out, so that they hold no slot of the other host. */
const silent: ReadonlySet<Kind> = new Set(["hanging", "late"])

export const isOfSilentHost = (kind: Kind): boolean => silent.has(kind)

export interface ChaosAlarm {
  readonly id: number
  readonly door: "smtp" | "http"
  readonly kind: Kind
  readonly subject: string
  readonly body: string
  readonly path: string
  /** Chat of its message; undefined: no message. */
  readonly chat: string | undefined
  /** When it is raised. Unit: milliseconds from the begin of the run. */
  readonly due: number
}

export interface Hosts {
  readonly prompt: string
  readonly silent: string
}

const firstChat = 1_000_000

export const makeAlarms = (random: Random, count: number, duration: number, hosts: Hosts): ReadonlyArray<ChaosAlarm> =>
  Array.from({ length: count }, (_, id) => {
    const kind = kindOf(random.next())
    const path = `/chaos/${id}`
    const chat = random.next() < 0.2 ? String(firstChat + id) : undefined
    const targets = [
      `WEBHOOK+${silent.has(kind) ? hosts.silent : hosts.prompt}${path}`,
      ...(chat === undefined ? [] : [`MESSENGER+${chat}`]),
      ...(retried.has(kind) ? ["RETRY:4x1m"] : [])
    ]
    return {
      id,
      door: random.next() < 0.6 ? "smtp" : "http",
      kind,
      subject: `${random.next() < 0.5 ? "CRITICAL" : "INFO"}:${targets.join(";")}`,
      body: `chaos alarm ${id}`,
      path,
      chat,
      due: ((id + random.next()) * duration) / count
    }
  })

const kindOf = (drawn: number): Kind => {
  let sum = 0
  for (const [kind, share] of shares) if (drawn < (sum += share)) return kind
  return "prompt"
}

/** Time before the answers. Unit: milliseconds. `late`: longer than the sender's time-out of 10 s. */
const delays = { prompt: 15, slow: 1_500, late: 12_000 }

/**
 * Behaviour of the receiver, and whether it acts on the request. `before`: number of earlier requests of the alarm.
 */
export const behaviourOf = (kind: Kind, before: number): SinkBehaviour & { readonly accepts: boolean } => {
  const first = before === 0
  switch (kind) {
    case "failing":
      return { status: first ? 503 : 200, accepts: !first }
    case "hanging":
      return first ? { hang: true, accepts: false } : { accepts: true }
    case "reset":
      return first ? { cut: true, accepts: false } : { accepts: true }
    case "cut":
      return { cut: true, accepts: true }
    case "cutFirst":
      return { cut: first, accepts: true }
    case "late":
      return { delay: delays.late, accepts: true }
    case "refusing":
      return { status: 410, accepts: false }
    case "prompt":
    case "slow":
      return { delay: delays[kind], accepts: true }
  }
}
