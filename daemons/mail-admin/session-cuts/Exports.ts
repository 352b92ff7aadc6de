/** What other features of mail-admin may use of session-cuts. */
export * as SessionCuts from "./SessionCuts.ts"
export { cutSessions } from "./SessionCuts.ts"
