/** Answer of `GET /api/v1/comm/health`. */
import { Schema } from "effect"

const part = { status: Schema.Literals(["ok", "degraded", "unconfigured"]), detail: Schema.optionalKey(Schema.String) }

export const CommComponents = Schema.Struct({
  cache: Schema.Struct({
    ...part,
    kind: Schema.optionalKey(Schema.Literals(["redis", "postgres"])),
    latency_ms: Schema.NullOr(Schema.Number)
  }),
  tts: Schema.Struct({ ...part, provider: Schema.NullOr(Schema.String) }),
  telephony: Schema.Struct(part),
  messenger: Schema.Struct({ ...part, bot: Schema.optionalKey(Schema.String) })
})
export type CommComponents = typeof CommComponents.Type

export const CommHealthResponse = Schema.Struct({
  status: Schema.Literals(["ok", "degraded"]),
  components: CommComponents
}).annotate({ identifier: "CommHealth" })
export type CommHealthResponse = typeof CommHealthResponse.Type
