/**
 * Configured fallback chains: the targets that are tried when a target has failed for good. Pure.
 *
 *   [{ "for": "CALL", "fallback": ["MESSENGER+42"] },
 *    { "for": "CALL+4930123", "fallback": ["CALL+4930124", "MESSENGER+42"] }]
 *
 * `for` is a channel or one target, written as in an alarm subject. A rule for the target wins over a rule for its
 * channel. A target with its own chain keeps it.
 */
import { Result, Schema } from "effect"
import { type AlarmTarget, channels } from "../../vocabulary/Exports.ts"
import { parse } from "../subject/AlarmSubject.ts"
import type { TargetSpec } from "./TargetSpec.ts"

/** Maximum number of fallbacks of one target. Reason: five people called in turn is a rota; more is a loop. */
export const maxFallbacks = 5

const Rules = Schema.fromJsonString(
  Schema.Array(Schema.Struct({ for: Schema.String, fallback: Schema.Array(Schema.String) }))
)

export interface Fallbacks {
  /** Keyed by `channel` or `channel+target`. */
  readonly chains: ReadonlyMap<string, ReadonlyArray<TargetSpec>>
}

export const none: Fallbacks = { chains: new Map() }

/** Parses the setting. The failure names the rule and its problem. */
export const make = (text: string): Result.Result<Fallbacks, string> => {
  const rules = Schema.decodeUnknownResult(Rules)(text)
  if (Result.isFailure(rules)) return Result.fail('it is no JSON list of {"for": …, "fallback": […]}')
  const chains = new Map<string, ReadonlyArray<TargetSpec>>()
  for (const [index, rule] of rules.success.entries()) {
    const said = (what: string) => Result.fail(`rule ${index + 1}: ${what}`)
    const key = keyOf(rule.for)
    if (key === undefined) return said(`“${rule.for}” is neither a channel nor a target`)
    if (chains.has(key)) return said(`there is another rule for ${rule.for}`)
    if (rule.fallback.length === 0 || rule.fallback.length > maxFallbacks)
      return said(`1 to ${maxFallbacks} targets may stand in “fallback”`)
    const fallback: Array<TargetSpec> = []
    for (const written of rule.fallback) {
      const target = targetOf(written)
      if (target === undefined) return said(`“${written}” is no target`)
      fallback.push(target)
    }
    chains.set(key, fallback)
  }
  return Result.succeed({ chains })
}

/** Adds the configured chains to the targets. */
export const apply = ({ chains }: Fallbacks, targets: ReadonlyArray<TargetSpec>): ReadonlyArray<TargetSpec> =>
  chains.size === 0
    ? targets
    : targets.map((target) => {
        if (target.fallback !== undefined) return target
        const fallback =
          (chains.get(nameOf(target)) ?? chains.get(target.channel))?.filter((one) => nameOf(one) !== nameOf(target)) ??
          []
        return fallback.length === 0 ? target : { ...target, fallback }
      })

const nameOf = ({ channel, target }: AlarmTarget): string => `${channel}+${target}`

const keyOf = (written: string): string | undefined => {
  const channel = channels.find((channel) => channel === written.trim().toLowerCase())
  const target = channel === undefined ? targetOf(written) : undefined
  return channel ?? (target === undefined ? undefined : nameOf(target))
}

/** Parses one target with the subject parser. */
const targetOf = (written: string): AlarmTarget | undefined => {
  const alarm = parse(`INFO:${written}`)
  return Result.isSuccess(alarm) && alarm.success.targets.length === 1 && alarm.success.retry === undefined
    ? alarm.success.targets[0]
    : undefined
}
