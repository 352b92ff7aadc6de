/** Asks all that can be asked about a component. Never fails: what goes wrong is what is found. */
import { Context, Duration, Effect, Layer, Semaphore } from "effect"
import { OutboundHttp } from "#core/http/OutboundHttp.ts"
import * as DnsClient from "#protocols/dns/Client.ts"
import type { CheckConfig } from "./Settings.ts"
import type { Component } from "../status/Model.ts"
import type { Probe, ProbeResult } from "../status/Probe.ts"
import * as Container from "./probes/Container.ts"
import * as Dns from "./probes/Dns.ts"
import { finding } from "./probes/Finding.ts"
import * as Http from "./probes/Http.ts"
import * as Tcp from "./probes/Tcp.ts"
import * as Tls from "./probes/Tls.ts"

/** Longest wait for one probe's answer. Unit: milliseconds. Reason: whoever needs longer is of no use to anybody. */
const longestProbe = 10_000

/** Share of the interval that one probe may take. Reason: what hangs must not hold the next round up. */
const probeShare = 0.7

/**
 * Probes under way at a time. Unit: probes. Reason: descriptors; more do not make a round of 500 components shorter
 * where all is well.
 */
const maxProbes = 64

/** Unit: milliseconds. `interval`: between two rounds, in milliseconds. */
export const probeTimeout = (interval: number): number => Math.min(longestProbe, probeShare * interval)

export class Prober extends Context.Service<
  Prober,
  {
    /** What has not been found out by `until` (milliseconds of performance.now()) is unknown. */
    readonly probe: (component: Component, until: number) => Effect.Effect<ReadonlyArray<ProbeResult>>
  }
>()("signalbox/status-checker/Prober") {}

/** Whether there is anything to ask about it. */
export const isMeasured = ({ container, probes }: Component): boolean => container !== null || probes.length > 0

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
            Effect.timeoutOrElse(places.withPermit(probe), {
              duration: Duration.millis(Math.max(0, until - performance.now())),
              orElse: () => Effect.succeed(finding(kind, "unknown", "the round ended before it was found out"))
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
