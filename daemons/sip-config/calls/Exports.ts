/** Exports of the feature calls for other features of sip-config. */
export { sipBruteForce, websocketAbuse } from "./BanRules.ts"
export { BanWatch } from "./BanWatch.ts"
export { watchedBans } from "./WatchedBans.ts"
