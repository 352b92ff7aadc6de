// Location of a test's Dovecot, and the configuration of its version.

import { Effect, type Scope } from "effect"
import { dovecotConfig, type DovecotSettings } from "./DovecotConfig.ts"
import { dovecotConfig24 } from "./DovecotConfig24.ts"
import type { DovecotVersion } from "./DovecotSnippet.ts"
import type { PeerError } from "./PeerError.ts"
import * as PeerPlace from "./PeerPlace.ts"

export interface DovecotPlace extends PeerPlace.PeerPlace {
  readonly config: (settings: DovecotSettings) => string
}

/** Peer of a Dovecot version. */
export const peerOf = (version: DovecotVersion) => (version === "2.4" ? "dovecot24" : "dovecot")

export const make = (version: DovecotVersion): Effect.Effect<DovecotPlace, PeerError, Scope.Scope> =>
  Effect.map(PeerPlace.make(peerOf(version)), (place) => ({
    ...place,
    config: version === "2.4" ? dovecotConfig24 : dovecotConfig
  }))
