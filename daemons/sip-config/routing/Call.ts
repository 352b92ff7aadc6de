/** Types of a call before and after routing. */
import type { CountryCode } from "libphonenumber-js/min"
import type { Leg } from "./OutsideLegs.ts"
import type { Extension, IvrMenu, RingGroup, VoicemailBox } from "./Rows.ts"

/** Call as it arrives at the router. */
export interface Call {
  /** Dialplan context: `tenant-<id>` (from a phone) or `public` (from a trunk). */
  readonly context: string
  /** Dialled number. */
  readonly destination: string
  /** Caller's number; empty when hidden. */
  readonly caller: string
  /** Address from which the switch got the call; undefined: not known, as in a dry run, so it is not checked. */
  readonly address?: string | undefined
  /** Authenticated extension and its domain; undefined for calls from trunks. */
  readonly user: string | undefined
  readonly domain: string | undefined
}

/** Settings of the router, the same for all calls. */
export interface Plan {
  /** Country of numbers without a country code. */
  readonly country: CountryCode
  /** Number that a phone dials for its own voicemail box. */
  readonly voicemailNumber: string
}

/** SIP status that ends the call. */
export type Refusal = 403 | 404 | 480 | 482 | 503 | 603

export type Route =
  | {
      readonly _tag: "Extension"
      readonly domain: string
      readonly extension: Extension
      readonly box: VoicemailBox | undefined
    }
  | {
      readonly _tag: "RingGroup"
      readonly domain: string
      readonly group: RingGroup
      readonly members: ReadonlyArray<string>
    }
  | { readonly _tag: "Menu"; readonly domain: string; readonly menu: IvrMenu }
  | { readonly _tag: "Leave"; readonly domain: string; readonly box: VoicemailBox }
  | { readonly _tag: "Check"; readonly domain: string; readonly box: VoicemailBox }
  | {
      readonly _tag: "Outside"
      readonly number: string
      readonly legs: ReadonlyArray<Leg>
      /** An emergency call tries the next trunk after any failure, even when the called side is busy or declines. */
      readonly isEmergency: boolean
    }
  | { readonly _tag: "Refused"; readonly status: Refusal }
