/** Exports of the feature calls for other features of sip-config. */
export { sipBruteForce, websocketAbuse } from "./BanRules.ts"
export { BanWatch, watchedBans } from "./BanWatch.ts"
