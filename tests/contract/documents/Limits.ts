/** Limits that the documents give in numbers, and the named constants that hold them. Variables.ts has the settings. */
import { mailTokenLifetime } from "#core/auth/TokenClaims.ts"
import { loginTokenMinutes } from "#core/contracts/Provisioning.ts"
import { defaultPage } from "#core/http/Paging.ts"
import { defaultWait } from "#daemons/comm-dispatcher/channels/call/CallLock.ts"
import { defaults } from "#daemons/comm-dispatcher/channels/call/CallOptions.ts"
import { maxAge } from "#daemons/localization/bundles/Rendered.ts"
import { defaultTokenDays } from "#daemons/provisioning/tokens/Exports.ts"
import { maxIncidents } from "#daemons/status-checker/publication/Shapes.ts"
import { historyDays } from "#daemons/status-checker/status/Model.ts"
import { frameSamples, maxRecordingSeconds } from "#daemons/wake-word/vocabulary/Exports.ts"
import { noiseLevel } from "#protocols/wake-word/Augment.ts"
import { defaultThreshold, embeddingSize } from "#protocols/wake-word/Shape.ts"
import { Duration } from "effect"
import { longest, tone } from "../../../console/call/Ring.ts"

/** Section, words of the document, documented value, and ours. */
export const limits: ReadonlyArray<
  readonly [section: string, limit: string, documented: number | string, ours: unknown]
> = [
  ["1 §8", "mail token lifetime: expires_in 3600 seconds", 3600, mailTokenLifetime],
  ["1 §8", "global call lock: later calls wait at most 90 seconds", 90, Duration.toSeconds(defaultWait)],
  ["1 §8", "default call pause: 4000 ms", 4000, defaults.pauseMs],
  ["1 §8", "default repeat: 2", 2, defaults.repeat],
  ["1 §2.4", "tts_provider: default local_gpu", "local_gpu", defaults.provider],
  ["1 §6", "a ringing tone of 425 Hz", 425, tone],
  ["1 §8", "ringing auto-dismiss: 30 seconds", 30, longest],
  ["2 §8", "domain list default page: limit 50", 50, defaultPage],
  ["2 §8", "translation bundle cache: TTL 1 hour", 3_600, maxAge],
  ["2 §8", "provisioning token validity: 7 days", 7, defaultTokenDays],
  ["2 §8", "platform login token in provisioning: 15 minutes", 15, loginTokenMinutes],
  ["3 §8", "uptime history: 90 days", 90, historyDays],
  ["3 §8", "incident list: at most 100", 100, maxIncidents],
  ["3 §8", "wake-word recording: 3 seconds", 3, maxRecordingSeconds],
  ["3 §8", "wake-word frame: 256 samples", 256, frameSamples],
  ["3 §2.3", "detection threshold constant: 0.5 by default", 0.5, defaultThreshold],
  ["3 §2.3", "augment (white noise at -25 dB)", -25, noiseLevel],
  ["3 §2.3", "96-dimension embeddings", 96, embeddingSize]
]
