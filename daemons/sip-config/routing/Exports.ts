/** Exports of the feature routing for other features of sip-config. */
export { planOf } from "./CallPlan.ts"
export { type Known, make } from "./LastKnown.ts"
export type { Leg } from "./OutsideLegs.ts"
export type { Plan, Route } from "./Call.ts"
export { isOurs, route } from "./Route.ts"
export type { Did, Extension, IvrMenu, SipDomain, Trunk, VoicemailBox } from "./Rows.ts"
export type { Telephony } from "./Telephony.ts"
export { type Freshness, projected, TelephonyProjection } from "./TelephonyProjection.ts"
