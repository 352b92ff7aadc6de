/** A call before and after it is routed. Types only. */
import type { CountryCode } from "libphonenumber-js/min"
import type { Leg } from "./OutsideLegs.ts"
import type { Extension, IvrMenu, RingGroup, VoicemailBox } from "./Rows.ts"

/** A call as it arrives at the router. */
export interface Call {
  /** `tenant-<id>` or `public`. */
  readonly context: string
  /** The number that was dialled. */
  readonly destination: string
  /** The number the caller shows; empty: none. */
  readonly caller: string
  /** The extension that proved itself, and its domain; undefined for calls from outside. */
  readonly user: string | undefined
  readonly domain: string | undefined
}

/** Settings of the router, the same for all calls. */
export interface Plan {
  /** Country of numbers without a country code. */
  readonly country: CountryCode
  /** What a phone dials for its own voicemail box. */
  readonly voicemailNumber: string
}

/** A SIP answer that ends the call. */
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
  | { readonly _tag: "Outside"; readonly number: string; readonly legs: ReadonlyArray<Leg> }
  | { readonly _tag: "Refused"; readonly status: Refusal }
