/**
 * Exports traces by OTLP when `OTEL_EXPORTER_OTLP_ENDPOINT` names a collector; otherwise tracing is off and costs
 * nothing. Metrics are separate: Prometheus scrapes `/metrics`.
 */
import { Effect, Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import { OtlpSerialization, OtlpTracer } from "effect/observability"
import * as Settings from "../config/Settings.ts"

export const telemetrySettings = {
  collector: Settings.httpAddress("OTEL_EXPORTER_OTLP_ENDPOINT", {
    doc: "Base address of an OpenTelemetry collector (OTLP over HTTP); unset: no traces"
  })
}

export const layer = (service: string, collector: string | undefined): Layer.Layer<never> =>
  collector === undefined
    ? Layer.empty
    : Layer.effectDiscard(Effect.void).pipe(
        Layer.provideMerge(OtlpTracer.layer({ url: `${collector}/v1/traces`, resource: { serviceName: service } })),
        Layer.provide(OtlpSerialization.layerJson),
        Layer.provide(FetchHttpClient.layer)
      )
