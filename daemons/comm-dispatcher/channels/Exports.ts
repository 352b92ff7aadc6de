/** Exports of the feature channels for other features. */
export {
  attemptIdOf,
  Channels,
  type Deliver,
  type DeliveryRequest,
  isIdempotent,
  type TakeTurn,
  type Turn
} from "./Channels.ts"
export type { Outcome, Retryable } from "./Outcome.ts"
export { channelServices } from "./Services.ts"
export { isGatewayName, maxPauseMs, maxRepeat } from "./call/CallPlan.ts"
export { prefixProblem, refusedNumber, startsWithAny } from "./call/CallNumbers.ts"
export { isTrunk } from "./call/CallOptions.ts"
export { maxSpokenLength } from "./call/CallWords.ts"
export { callSettings } from "./call/CallSettings.ts"
export { CommHealth } from "./health/CommHealth.ts"
export { CommHealthResponse } from "./health/HealthResponse.ts"
export { isFailing, type Part, PeerHealth, sightingOf } from "./health/PeerHealth.ts"
export { readLink } from "./links/AcknowledgeLinks.ts"
export { originOf } from "./limits/ChannelLimits.ts"
export { ChannelThrottles } from "./limits/ChannelThrottles.ts"
export * as Messenger from "./messenger/Messenger.ts"
export { MessengerBot } from "./messenger/MessengerBot.ts"
export { admissionOf } from "./webhook/LoopbackAdmission.ts"
export * as Webhook from "./webhook/Webhook.ts"
