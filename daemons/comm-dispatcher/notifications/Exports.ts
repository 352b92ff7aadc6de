/** What other features use of notifications. */
export * as Members from "./Members.ts"
export { languageOf } from "./mail/NotificationMail.ts"
