// `describe` for tests that need real servers.

import { describe } from "vitest"
import { requirePeer } from "./install.ts"
import type { PeerName } from "./Peers.ts"

/**
 * Runs the tests when these peers can be used; else skips them with the sentence that says what to install (fails with
 * `CI` set).
 */
export const describePeers = (names: ReadonlyArray<PeerName>, title: string, body: () => void): void => {
  const reasons = names.map(requirePeer).flatMap((found) => (found.available ? [] : [found.reason]))
  if (reasons.length === 0) describe(title, body)
  else describe.skip(`${title} (skipped: ${reasons.join("; ")})`, body)
}
