/** Words that all features share: targets, time ranges, storable text. */
export {
  acknowledgedBy,
  headline,
  maxReasonLength,
  maxSubjectLength,
  shown,
  storable,
  storablePayload
} from "./StorableText.ts"
export {
  type AlarmTarget,
  type Channel,
  channels,
  type DeliveryKind,
  priorityOf,
  severities,
  type Severity,
  TargetOptions,
  ttsProviders
} from "./Target.ts"
export { bucketStarts, type TimeRange, timeRangeOf, timeRangeQuery } from "./TimeRange.ts"
