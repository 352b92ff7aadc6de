/** What other features of sip-config may use of calls. */
export { sipBruteForce, websocketAbuse } from "./BanRules.ts"
export { BanWatch } from "./BanWatch.ts"
export { watchedBans } from "./WatchedBans.ts"
