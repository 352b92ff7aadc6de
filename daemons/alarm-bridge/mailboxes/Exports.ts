/** What other features of alarm-bridge may use of mailboxes. */
export { listAll } from "./MailboxCursor.ts"
export { mailboxesSettings } from "./MailboxesSettings.ts"
export { actorName } from "./MailboxWatcher.ts"
