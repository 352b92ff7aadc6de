/** Runs all probes of a component. Never fails: errors are results. */
import { Context, Duration, Effect, Layer, Semaphore } from "effect"
import { settings } from "#core/config/Environment.ts"
import { OutboundHttp } from "#core/http/OutboundHttp.ts"
import * as DnsClient from "#protocols/dns/Client.ts"
import { type CheckConfig, checkSettings } from "./Settings.ts"
import type { Component } from "../status/Model.ts"
import type { ProbeResult } from "#core/probes/ProbeResult.ts"
import type { TimedResult } from "./ResponseTime.ts"
import type { Probe } from "../status/Probe.ts"
import * as Container from "./probes/Container.ts"
import * as Dns from "./probes/Dns.ts"
import "./ResultTexts.ts"
import { finding } from "#core/probes/Finding.ts"
import * as Http from "#core/probes/Http.ts"
import * as Tcp from "#core/probes/Tcp.ts"
import * as Tls from "#core/probes/Tls.ts"

/** Timeout of one probe. Unit: milliseconds. Reason: a slower service is unusable. */
const longestProbe = 10_000

/** Largest share of the interval for one probe. Reason: a hanging probe must not delay the next round. */
const probeShare = 0.7

/**
 * Most concurrent probes. Unit: probes. Reason: limits file descriptors; more do not shorten a round of 500 healthy
 * components.
 */
const maxProbes = 64

/** Timeout of one probe. Unit: milliseconds, as for the `interval` of the rounds. */
export const probeTimeout = (interval: number): number => Math.min(longestProbe, probeShare * interval)

export class Prober extends Context.Service<
  Prober,
  {
    /** Runs all probes. Those without a result at `until` (milliseconds of performance.now()) are unknown. */
    readonly probe: (component: Component, until: number) => Effect.Effect<ReadonlyArray<TimedResult>>
  }
>()("signalbox/status-checker/Prober") {}

/** Whether the component has a container or probes. */
export const isMeasured = ({ container, probes }: Component): boolean => container !== null || probes.length > 0

/** Keeps the detail of the result only: the row of a measurement has no room for more. */
const timed = (probe: Effect.Effect<ProbeResult>): Effect.Effect<TimedResult> =>
  Effect.suspend(() => {
    const began = performance.now()
    return Effect.map(probe, ({ detail, kind, outcome }) => ({
      kind,
      outcome,
      detail,
      took: performance.now() - began
    }))
  })

export const layer = ({
  checkInterval,
  containerSocket
}: Pick<CheckConfig, "checkInterval" | "containerSocket">): Layer.Layer<Prober> =>
  Layer.effect(
    Prober,
    Effect.gen(function* () {
      const http = yield* OutboundHttp
      const dns = yield* DnsClient.make()
      const places = Semaphore.makeUnsafe(maxProbes)
      const timeout = Duration.millis(probeTimeout(1_000 * checkInterval))
      const one = (probe: Probe): Effect.Effect<ProbeResult> => {
        switch (probe.kind) {
          case "http":
            return Http.probe(http, probe, timeout)
          case "tcp":
            return Tcp.probe(probe, timeout)
          case "tls":
            return Tls.probe(probe, timeout)
          case "dns":
            return Dns.probe(dns, probe, timeout)
        }
      }
      return Prober.of({
        probe: ({ container, probes }, until) => {
          const inTime = (kind: string, probe: Effect.Effect<ProbeResult>) =>
            Effect.timeoutOrElse(places.withPermit(timed(probe)), {
              duration: Duration.millis(Math.max(0, until - performance.now())),
              orElse: () =>
                Effect.succeed({ ...finding(kind, "unknown", "the round ended before the probe finished"), took: 0 })
            })
          return Effect.all(
            [
              ...(container === null
                ? []
                : [inTime("container", Container.probe(containerSocket, container, timeout))]),
              ...probes.map((probe) => inTime(probe.kind, one(probe)))
            ],
            { concurrency: "unbounded" }
          )
        }
      })
    })
  ).pipe(Layer.provide(OutboundHttp.layer))

/** Probes with the settings, for checks that are tried before they are saved. */
export const prober = Layer.unwrap(Effect.map(settings(checkSettings), (config) => layer(config)))
