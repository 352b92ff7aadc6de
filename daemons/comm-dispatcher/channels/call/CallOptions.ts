/** Settings of calls, and the options of a target. */
import type { Provider } from "#core/speech/Speech.ts"
import type { Language } from "#core/words/Language.ts"

export interface CallSettings {
  readonly gateway: string | undefined
  /** Gateways that a target may name; empty: any. The default gateway is always allowed. */
  readonly gateways: ReadonlyArray<string>
  readonly acknowledgement: boolean
  readonly language: Language
  /** Longest ringing. Unit: seconds. */
  readonly ringTimeout: number
  readonly callerId: string | undefined
}

/** Source of the defaults: the interface's call request. */
export const defaults = { provider: "local_gpu", pauseMs: 4_000, repeat: 2 } as const satisfies {
  readonly provider: Provider
  readonly pauseMs: number
  readonly repeat: number
}

/** The gateway of a call, or why there is none. */
export const gatewayOf = (
  settings: CallSettings,
  wanted: string | undefined
): { readonly name: string } | { readonly problem: string } => {
  const name = wanted ?? settings.gateway
  if (name === undefined) return { problem: "unconfigured: set SIGNALBOX_SIP_GATEWAY" }
  return wanted === undefined ||
    wanted === settings.gateway ||
    settings.gateways.length === 0 ||
    settings.gateways.includes(wanted)
    ? { name }
    : { problem: "the gateway is not among SIGNALBOX_SIP_GATEWAYS" }
}
