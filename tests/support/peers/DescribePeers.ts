// `describe` for tests with real servers.

import { describe } from "vitest"
import { requirePeer } from "./install.ts"
import type { PeerName } from "./Peers.ts"

/**
 * Runs the tests when these peers are available. Otherwise skips them and names the missing packages; fails with `CI`
 * set.
 */
export const describePeers = (names: ReadonlyArray<PeerName>, title: string, body: () => void): void => {
  const reasons = names.map(requirePeer).flatMap((found) => (found.available ? [] : [found.reason]))
  if (reasons.length === 0) describe(title, body)
  else describe.skip(`${title} (skipped: ${reasons.join("; ")})`, body)
}
