/** Exports of the feature session-cuts for other features of the daemon. */
export * as SessionCuts from "./SessionCuts.ts"
export { cutSessions } from "./SessionCuts.ts"
