/**
 * Judges a chaos run: compares the ledger with what the receivers acted on. Pure. `problems` is empty when nothing was
 * lost, left open or told wrongly, and each repeat has a cause.
 */
import { type ChaosAlarm, isOfSilentHost, type Kind } from "./Alarms.ts"
import type { Accepted } from "./Site.ts"

export interface AttemptRow {
  readonly number: number
  readonly state: string
}

export interface TargetRow {
  readonly channel: string
  readonly target: string
  readonly state: string
  readonly due: boolean
  readonly reason: string | null
  readonly attempts: ReadonlyArray<AttemptRow>
}

export interface RunRow {
  readonly id: string
  readonly subject: string
  readonly state: string
  readonly finished: boolean
  readonly targets: ReadonlyArray<TargetRow>
}

export interface Evidence {
  readonly alarms: ReadonlyArray<ChaosAlarm>
  readonly runs: ReadonlyArray<RunRow>
  readonly accepted: ReadonlyArray<Accepted>
  readonly messages: ReadonlyArray<{ readonly chatId: string }>
  /** Jobs that are not completed, by queue and state. */
  readonly jobs: ReadonlyArray<string>
  /**
   * Largest number of doubled deliveries in all. Default: no limit beside one for each interrupted attempt, because
   * alarms come so fast that a kill interrupts several.
   */
  readonly maxDoubled?: number
  readonly mails: { readonly sent: ReadonlyArray<string>; readonly told: ReadonlyArray<string> }
}

export interface Verdict {
  readonly problems: ReadonlyArray<string>
  readonly targets: number
  /** Targets of accepted alarms without a run, or told as delivered although no receiver acted. */
  readonly lost: number
  /** Runs, targets, attempts and jobs that are not ended. */
  readonly stuck: number
  /** Targets told as failed on which the receiver acted. */
  readonly toldFailed: number
  readonly byState: Readonly<Record<string, number>>
  /** Repeats of webhooks after an attempt whose process died. */
  readonly doubledByKills: number
  /** Repeats of webhooks that RETRY asked for after an attempt of unknown outcome. */
  readonly repeatedByRetry: number
  readonly doubledMessages: number
  readonly keysDiffer: number
  readonly mailsMissed: number
  readonly mailsDoubled: number
}

/** States in which a target of this kind may end. */
const ends: Readonly<Record<Kind, string>> = {
  prompt: "delivered",
  slow: "delivered",
  failing: "delivered",
  hanging: "delivered",
  reset: "delivered",
  cutFirst: "delivered",
  cut: "uncertain",
  late: "uncertain",
  refusing: "failed"
}

export const judge = ({ accepted, alarms, jobs, mails, maxDoubled = Infinity, messages, runs }: Evidence): Verdict => {
  const problems: Array<string> = []
  const actedOn = Map.groupBy(accepted, ({ path }) => path)
  const messagesTo = Map.groupBy(messages, ({ chatId }) => chatId)
  const runsOf = Map.groupBy(runs, ({ subject }) => subject)
  const byState: Record<string, number> = {}
  let [targets, lost, stuck, toldFailed, doubledByKills, repeatedByRetry, doubledMessages, keysDiffer] = [
    0, 0, 0, 0, 0, 0, 0, 0
  ]

  for (const alarm of alarms) {
    const name = `alarm ${alarm.id} (${alarm.kind}, ${alarm.door})`
    const wanted = alarm.chat === undefined ? ["webhook"] : ["webhook", "messenger"]
    targets += wanted.length
    const real = (runsOf.get(alarm.subject) ?? []).filter(({ state }) => state !== "duplicate")
    const [run] = real
    if (run === undefined || real.length > 1) {
      lost += wanted.length
      problems.push(`${name} has ${real.length} runs beside duplicates`)
      continue
    }
    if (!run.finished) {
      stuck += 1
      problems.push(`${name}: the run is ${run.state}`)
    }
    for (const channel of wanted) {
      const target = run.targets.find((one) => one.channel === channel)
      if (target === undefined) {
        lost += 1
        problems.push(`${name}: no ${channel} in the ledger`)
        continue
      }
      const { attempts, due, reason, state } = target
      byState[state] = (byState[state] ?? 0) + 1
      const said = `${name}: its ${channel} is ${state} (${reason}; ${attempts.map((one) => one.state).join(", ")})`
      if (due || !["delivered", "failed", "uncertain"].includes(state) || attempts.some(isOpen)) {
        stuck += 1
        problems.push(`${said} and not ended`)
      }
      const count = (wanted: string) => attempts.filter((attempt) => attempt.state === wanted).length
      const acted = actedOn.get(alarm.path) ?? []
      const got = channel === "webhook" ? acted.length : (messagesTo.get(alarm.chat!) ?? []).length
      if (state === "delivered" && got === 0) {
        lost += 1
        problems.push(`${said} but never came`)
      }
      if (state === "failed" && got > 0) {
        toldFailed += 1
        problems.push(`${said} but came ${got} times`)
      }
      if (state === "uncertain" && count("uncertain") + count("interrupted") === 0)
        problems.push(`${said} without an attempt of unknown outcome`)
      const end = channel === "webhook" ? ends[alarm.kind] : "delivered"
      // After a kill in flight, a refusal does not say what became of the interrupted attempt.
      const inDoubt = end === "failed" && state === "uncertain" && count("interrupted") > 0
      // A host that is often silent counts as away, and attempts that are not dialled count for RETRY too.
      const away = isOfSilentHost(alarm.kind) && reason?.includes("no answer within") === true
      if (state !== end && !inDoubt && !away) problems.push(`${said}, not ${end}`)
      const doubled = Math.max(0, got - 1)
      if (channel === "messenger") {
        doubledMessages += doubled
        if (doubled > count("uncertain")) problems.push(`${said} but came ${got} times`)
        continue
      }
      const byKill = Math.min(doubled, count("interrupted"))
      doubledByKills += byKill
      repeatedByRetry += doubled - byKill
      if (doubled - byKill > Math.min(count("uncertain"), alarm.kind === "cutFirst" ? 1 : 0))
        problems.push(`${said} but came ${got} times`)
      if (new Set(acted.map(({ key }) => key)).size > 1 || acted.some(({ key }) => key === undefined)) {
        keysDiffer += 1
        problems.push(`${name}: its webhook came under different keys`)
      }
      if (new Set(acted.map(({ body }) => body)).size > 1) problems.push(`${name}: different bodies under one key`)
    }
  }

  const known = new Set(alarms.map(({ subject }) => subject))
  for (const { id, subject } of runs)
    if (!known.has(subject)) problems.push(`run ${id} belongs to no alarm: ${subject}`)
  for (const { id, state, targets } of runs)
    if (state === "duplicate" && targets.length > 0) problems.push(`duplicate run ${id} has targets`)
  if (doubledByKills + doubledMessages > maxDoubled)
    problems.push(`${doubledByKills} webhooks and ${doubledMessages} messages doubled, more than ${maxDoubled}`)
  stuck += jobs.length
  problems.push(...jobs.map((job) => `jobs are left: ${job}`))
  const told = new Set(mails.told)
  const mailsMissed = mails.sent.filter((subject) => !told.has(subject)).length
  const mailsDoubled = mails.told.length - told.size
  if (mailsMissed + mailsDoubled > 0) problems.push(`${mailsMissed} mails missed, ${mailsDoubled} told twice`)
  return {
    problems,
    targets,
    lost,
    stuck,
    toldFailed,
    byState,
    doubledByKills,
    repeatedByRetry,
    doubledMessages,
    keysDiffer,
    mailsMissed,
    mailsDoubled
  }
}

const isOpen = ({ state }: AttemptRow): boolean => state === "attempting"
