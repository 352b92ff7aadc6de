/** Settings of calls, and the options of a target. */
import type { Provider } from "#core/speech/Speech.ts"
import type { Language } from "#core/words/Language.ts"

export interface CallSettings {
  readonly gateway: string | undefined
  /** Gateways that a target may name, besides the default gateway. */
  readonly gateways: ReadonlyArray<string>
  readonly acknowledgement: boolean
  readonly language: Language
  /** Longest ringing. Unit: seconds. */
  readonly ringTimeout: number
  readonly callerId: string | undefined
  /** Beginnings of costly numbers that may be called. */
  readonly costlyPrefixes: ReadonlyArray<string>
  /** Longest call after the answer. Unit: seconds. */
  readonly longest: number
}

/** Source of the defaults: the interface's call request. */
export const defaults = { provider: "local_gpu", pauseMs: 4_000, repeat: 2 } as const satisfies {
  readonly provider: Provider
  readonly pauseMs: number
  readonly repeat: number
}

/** Whether a gateway is a trunk of sip-config, which belongs to a tenant. */
export const isTrunk = (gateway: string): boolean => /^trunk_[1-9]\d{0,9}$/.test(gateway)

/**
 * Number of playbacks that fit into the longest call. At least one, because a message that is never heard is no alarm.
 */
export const repeatsWithin = (
  longest: number,
  { messageMs, pauseMs, repeat }: { readonly pauseMs: number; readonly messageMs: number; readonly repeat: number }
): number => Math.max(1, Math.min(repeat, Math.floor((longest * 1_000 - pauseMs) / messageMs)))

/** The gateway of a call, or why there is none. */
export const gatewayOf = (
  settings: CallSettings,
  wanted: string | undefined
): { readonly name: string } | { readonly problem: string } => {
  const name = wanted ?? settings.gateway
  if (name === undefined) return { problem: "unconfigured: set SIGNALBOX_SIP_GATEWAY" }
  return wanted === undefined ||
    wanted === settings.gateway ||
    settings.gateways.includes(wanted) ||
    // Accepted with the request, when the trunk was found to be the tenant's own.
    isTrunk(wanted)
    ? { name }
    : { problem: "the gateway is not among SIGNALBOX_SIP_GATEWAYS" }
}
