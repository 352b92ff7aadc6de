/** Checks of certificates: files on this machine, and live endpoints with SNI. */
import { X509Certificate } from "node:crypto"
import { glob, readFile } from "node:fs/promises"
import { Duration, Effect, Option } from "effect"
import { codeOf } from "#core/probes/Finding.ts"
import * as Tls from "#core/probes/Tls.ts"
import type { BuiltCheck, Reading, Source } from "../BuiltCheck.ts"
import { parseEndpoint } from "../Settings.ts"
import { say } from "../words/Said.ts"
import { sayProbe } from "./ProbeWords.ts"
import { certificateLimits } from "./OperatorValues.ts"

/** Maximum number of files of one pattern. Reason: a pattern that matches a whole disk. */
const maxFiles = 500

/** Largest certificate file. Unit: bytes. Reason: a chain has 8 KiB; a bundle of all authorities 250 KiB. */
const maxFile = 1024 * 1024

/** Limit of a TLS handshake. The check's own time-out may be shorter. */
const patience = Duration.seconds(120)

const day = 86_400_000

/** The certificates of a PEM file; undefined when one cannot be decoded. Pure. */
export const certificatesOf = (pem: string): ReadonlyArray<X509Certificate> | undefined => {
  const parts = pem.match(/-----BEGIN (?:TRUSTED )?CERTIFICATE-----[^-]+-----END (?:TRUSTED )?CERTIFICATE-----/g) ?? []
  try {
    return parts.map((part) => new X509Certificate(part))
  } catch {
    return undefined
  }
}

/** Reading of a chain: the certificate that expires first counts. Pure. */
export const judgeChain = (chain: ReadonlyArray<X509Certificate>, now: number): Reading => {
  const ends = chain.map(({ validTo }) => Date.parse(validTo))
  const first = Math.min(...ends)
  const left = (first - now) / day
  const begins = Date.parse(chain[0]!.validFrom)
  return {
    value: left,
    ...(begins > now
      ? say("certificate_early", { from: new Date(begins).toISOString() })
      : say("certificate", {
          until: new Date(first).toISOString().slice(0, 10),
          expired: left <= 0,
          intermediate: ends.indexOf(first) !== 0
        })),
    ...(begins > now || left <= 0 ? { status: "critical" } : {})
  }
}

const fileCheck = (host: string, path: string): BuiltCheck => ({
  key: `${host} certificate ${path}`.slice(0, 200),
  kind: "certificate",
  group: `host ${host}`,
  unit: "days",
  thresholds: certificateLimits,
  version: path,
  // A file does not become well or bad by chance.
  failures: 1,
  successes: 1,
  probe: Effect.match(Effect.tryPromise({ try: () => readFile(path), catch: codeOf }), {
    // Files of keys may be closed to the watchdog; that says nothing about the certificate.
    onFailure: (code): Reading => ({
      value: null,
      status: code === "EACCES" ? "unknown" : "critical",
      ...say("unreadable", { error: code })
    }),
    onSuccess: (content) => {
      const chain = content.byteLength > maxFile ? undefined : certificatesOf(content.toString("latin1"))
      return chain === undefined || chain.length === 0
        ? { value: null, status: "critical", ...say("no_certificate", {}) }
        : judgeChain(chain, Date.now())
    }
  })
})

/** `patterns`: paths, also with `*`. */
export const certificateFiles = (host: string, patterns: ReadonlyArray<string>): Source => ({
  name: "certificate files",
  kinds: ["certificate"],
  scope: "host",
  discover: () =>
    Effect.tryPromise(async () => {
      const paths = new Set<string>()
      for (const pattern of patterns) {
        // A named file must exist; a pattern may match nothing.
        if (!/[*?[{]/.test(pattern)) paths.add(pattern)
        else for await (const path of glob(pattern)) if (paths.size < maxFiles) paths.add(path)
      }
      return [...paths].map((path) => fileCheck(host, path))
    }).pipe(Effect.orElseSucceed(() => undefined))
})

/** Reading of a live endpoint. Verifies the chain and the name. */
export const askEndpoint = (
  target: { readonly host: string; readonly port: number; readonly servername: string | null },
  authorities?: ReadonlyArray<string>
): Effect.Effect<Reading> =>
  Effect.map(Tls.probe({ ...target, days: 0 }, patience, authorities), (result) => {
    const reading = { value: result.daysLeft ?? null, ...sayProbe(result) }
    return result.outcome === "up"
      ? reading
      : { ...reading, status: result.outcome === "unknown" ? "unknown" : "critical" }
  })

/** `endpoints`: `host:port` or `name@host:port`. */
export const certificateEndpoints = (endpoints: ReadonlyArray<string>): Source => ({
  name: "certificate endpoints",
  kinds: ["certificate"],
  scope: "fleet",
  discover: () =>
    Effect.succeed(
      endpoints.flatMap((endpoint): ReadonlyArray<BuiltCheck> =>
        Option.match(Option.fromNullishOr(parseEndpoint(endpoint)), {
          onNone: () => [],
          onSome: (target) => [
            {
              key: `certificate ${endpoint}`.slice(0, 200),
              kind: "certificate",
              group: `endpoint ${target.host}`.slice(0, 200),
              unit: "days",
              thresholds: certificateLimits,
              version: endpoint,
              probe: askEndpoint(target)
            }
          ]
        })
      )
    )
})
