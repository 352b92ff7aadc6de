/** Rules that an operator sets, and how the decisions read them. */
import type { AlertRules } from "./Api.ts"
import type { MessageRules } from "./MessagePlan.ts"

/**
 * Rules until an operator sets others. Reasons: a critical alert is repeated within the shift, a warning once a day;
 * thirty seconds gather what one cause breaks; three failures with recovery in an hour are a pattern.
 */
export const defaultRules: AlertRules = {
  repeat_critical_minutes: [60, 240],
  repeat_warning_minutes: [1_440],
  gather_s: 30,
  group_interval_s: 300,
  flap_changes: 5,
  flap_window_minutes: 60
}

/** `second`: length of a second in milliseconds. */
export const messageRules = (rules: AlertRules, second: number): MessageRules => {
  const minutes = (all: ReadonlyArray<number>) => all.map((minute) => minute * 60 * second)
  return {
    repeat: { critical: minutes(rules.repeat_critical_minutes), warning: minutes(rules.repeat_warning_minutes) },
    gather: rules.gather_s * second,
    groupInterval: rules.group_interval_s * second,
    flapChanges: rules.flap_changes,
    flapWindow: rules.flap_window_minutes * 60 * second
  }
}
